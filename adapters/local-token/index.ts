export { createLocalTokenFile } from "./create-local-token-file.ts"
