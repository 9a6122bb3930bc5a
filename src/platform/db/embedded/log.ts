/** What the embedded database says to whoever runs it; a pino logger fits. */
export type Log = {
  info(about: object, message: string): void
  warn(about: object, message: string): void
  error(about: object, message: string): void
}
