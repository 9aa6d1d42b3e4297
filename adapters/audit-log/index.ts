export { type AuditLog, type AuditLogOptions, createAuditLog } from "./create-audit-log.ts"
