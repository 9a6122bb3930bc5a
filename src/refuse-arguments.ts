/** The server accepts no arguments, so an argument ends the process with status 2. */
export function refuseArguments(argv: readonly string[]): void {
  const [first] = argv
  if (first === undefined) return
  process.stderr.write(
    `The server takes no arguments, but got ${JSON.stringify(first)}. Its settings are environment variables, such as PORT=8081 npm start (docs/reference/settings.md); operators' commands are listed by: npm run crosswalk -- help\n`,
  )
  process.exit(2)
}
