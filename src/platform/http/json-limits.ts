import { Refusal } from './refusal.ts'
import { detailAt, ValidationError } from './validation.ts'

/** Members of an object, and items of an array, that is no piece: no schema takes more, and growing them takes long. */
export const MAX_MEMBERS = 10_000
export const MAX_ITEMS = 50_000
/** Objects and arrays in a body: an empty one is two bytes of JSON, and takes twenty times as much memory. */
export const MAX_CONTAINERS = 100_000
/** Bytes of a name, and of what is between strings, brackets and commas: each is parsed in one step. */
export const MAX_RUN: number = 64 * 1024

export const tooLong = (what: string): ValidationError =>
  new ValidationError([
    detailAt(
      ['body'],
      new Refusal('too_long', `In JSON, ${what} should have at most ${MAX_RUN} bytes`, {
        max_length: MAX_RUN,
      }),
    ),
  ])

export const tooManyContainers = (): ValidationError =>
  new ValidationError([
    detailAt(
      ['body'],
      new Refusal('too_long', `JSON should have at most ${MAX_CONTAINERS} objects and arrays`, {
        max_length: MAX_CONTAINERS,
      }),
    ),
  ])
