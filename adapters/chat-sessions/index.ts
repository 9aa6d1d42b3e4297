export { createNoChatSessions } from "./no-chat-sessions.ts"
