// Writes sdk/methods.txt: the SDK's method of every endpoint.
import { endpoints } from '../src/api.ts'

const methodLines = (): string[] =>
  endpoints.map(({ sdk, method, path }) => `${sdk} ${method} ${path}`).sort()

/**
 * `listed`: the current text of sdk/methods.txt.
 * @throws Error if a listed method does not exist any more: programs call the method, so only a person may remove its
 * line
 */
export function methodsText(listed: string): string {
  const lines = methodLines()
  const gone = listed.split('\n').filter((line) => line !== '' && !lines.includes(line))
  if (gone.length > 0)
    throw new Error(
      `No endpoint has these methods of sdk/methods.txt: ${gone.join(', ')}. Programs break without a method that they call. Give the endpoint its old name. To break programs on purpose, remove the lines by hand.`,
    )
  return `${lines.join('\n')}\n`
}
