import { parsedText, refuse } from './fields.ts'
import type { Refusal } from './refusal.ts'

// ICU accepts names that are not in the IANA database. Abbreviations are refused because they are ambiguous (in ICU,
// BST is the time of Dhaka), and offsets because they have no daylight saving time.
const abbreviations: ReadonlySet<string> = new Set(
  'ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT PNT PRT PST SST VST'.split(
    ' ',
  ),
)
const offsetOrSystemName = /^[+\-\d]|^systemv\//i

/** True if this is the name of a time zone in the IANA database of the runtime. Letter case does not matter. */
export function isTimeZone(value: string): boolean {
  if (offsetOrSystemName.test(value) || abbreviations.has(value.toUpperCase())) return false
  try {
    new Intl.DateTimeFormat('en', { timeZone: value })
    return true
  } catch {
    return false
  }
}

/** The problem of a value that is not the name of a time zone. */
export const notTimeZone = (): Refusal =>
  refuse('a timezone is a name of the IANA database, such as America/New_York or Asia/Kolkata')

/** A parameter or member with the name of a time zone. */
export const timezone = parsedText((value) => (isTimeZone(value) ? value : notTimeZone()), {
  examples: ['America/New_York'],
})
