import { restoreCharacters } from './stand-ins.ts'
import type { TemplatePart } from './template-fault.ts'

/** Something to fix in the template. It does not prevent the install. */
export type Warning = {
  code: string
  message: string
  /** The part of the template, and the line in it from 1, that cause the warning; null if unknown. */
  part: TemplatePart | null
  line: number | null
}

const warningsMax = 50
const namesShown = 40

export class Warnings {
  readonly #found = new Map<string, Warning>()

  add(code: string, message: string, at?: { part: TemplatePart; line: number }): void {
    if (this.#found.size >= warningsMax || this.#found.has(message)) return
    this.#found.set(message, { code, message, part: at?.part ?? null, line: at?.line ?? null })
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
