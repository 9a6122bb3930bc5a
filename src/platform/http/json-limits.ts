import { depthMax } from './json-body.ts'
import { Refusal } from './refusal.ts'
import { detailAt, ValidationError } from './validation.ts'

/** The maximum number of members of a container that is larger than one piece. No schema accepts more members. */
export const membersMax = 10_000
export const itemsMax = 50_000
/**
 * The maximum number of containers in a body. An empty container is two bytes of JSON, but needs twenty times as much
 * memory.
 */
export const bodyContainersMax = 100_000
/**
 * The maximum length in bytes of a name, and of the text between strings, brackets and commas. Each is parsed in one
 * step.
 */
export const runMax: number = 64 * 1024

export type JsonLimits = {
  /** The number of bytes that are parsed in one step. */
  pieceBytes: number
  /** The maximum number of objects and arrays. */
  containersMax: number
  /** The maximum number of members of an object, and of items of an array, that is larger than one piece. */
  membersMax: number
  itemsMax: number
  /** The maximum nesting. */
  levelsMax: number
  /**
   * Whether text that cannot be stored, such as half of an emoji, is read unchanged. Numbers are then read as
   * `JSON.parse` reads them.
   */
  keepsUnstorable: boolean
}

export const usualLimits: JsonLimits = {
  pieceBytes: 16 * 1024,
  containersMax: bodyContainersMax,
  membersMax,
  itemsMax,
  levelsMax: depthMax,
  keepsUnstorable: false,
}

/** For JSON that this server wrote. */
export const ownLimits: Partial<JsonLimits> = {
  containersMax: Infinity,
  membersMax: Infinity,
  itemsMax: Infinity,
  levelsMax: Infinity,
  keepsUnstorable: true,
}

/** The 422 for a part of JSON (`what`) that cannot be parsed in pieces. */
export const jsonTooLong = (what: string): ValidationError =>
  new ValidationError([
    detailAt(
      ['body'],
      new Refusal('too_long', `In JSON, ${what} should have at most ${runMax} bytes`, {
        max_length: runMax,
      }),
    ),
  ])

/** The 422 for JSON with more than `max` objects and arrays. */
export const tooManyContainers = (max: number): ValidationError =>
  new ValidationError([
    detailAt(
      ['body'],
      new Refusal('too_long', `JSON should have at most ${max} objects and arrays`, { max_length: max }),
    ),
  ])

/** @param path of the container */
export function tooManyMembers(
  path: (string | number)[],
  kind: 'array' | 'object',
  max: number,
): ValidationError {
  const msg = `A large ${kind} in JSON should have at most ${max} members`
  return new ValidationError([detailAt(path, new Refusal('too_long', msg, { max_length: max }))])
}
