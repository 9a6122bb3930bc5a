import { restoreCharacters } from './stand-ins.ts'

/** Something to fix in the template. It does not prevent the install. */
export type Warning = { code: string; message: string }

const warningsMax = 50
const namesShown = 40

export class Warnings {
  readonly #found = new Map<string, Warning>()

  add(code: string, message: string): void {
    if (this.#found.size < warningsMax) this.#found.set(message, { code, message })
  }

  list(): Warning[] {
    return [...this.#found.values()]
  }
}

/** A text of the template's author, shortened for a message. */
export function shortenForMessage(text: string): string {
  const clean = restoreCharacters(text)
    .replaceAll(/[\p{Cc}\p{Cf}]/gu, '')
    .trim()
  return clean.length > namesShown ? `${clean.slice(0, namesShown).toWellFormed()}…` : clean
}
