export type EmbeddedLog = {
  info(about: object, message: string): void
  warn(about: object, message: string): void
  error(about: object, message: string): void
}
