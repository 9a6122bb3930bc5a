import type { z } from 'zod'

/** The reason why a value was refused. `Detail` adds the place in the request. */
export class Refusal {
  readonly type: string
  readonly msg: string
  readonly ctx: Readonly<Record<string, unknown>> | undefined

  constructor(type: string, msg: string, ctx?: Readonly<Record<string, unknown>>) {
    this.type = type
    this.msg = msg
    this.ctx = ctx
  }
}

/** Returns the refusal as a Zod issue, which validation.ts reads. */
export function toZodIssue(refusal: Refusal, input: unknown): z.core.$ZodRawIssue {
  return {
    code: 'custom',
    message: refusal.msg,
    params: refusal as unknown as Record<string, unknown>,
    input,
  }
}

/** The maximum number of reported problems. Without a limit, a small body could get a far larger answer. */
export const detailsMax = 1000

/**
 * How many unknown names of a request get a hint. Without a limit, a request with many names would be expensive to
 * refuse.
 */
export const hintsMax = 10

// The texts are the message templates of pydantic-core 2.46.
export const missing = new Refusal('missing', 'Field required')
/** @param expected what to send, if no known name is near */
export const extraForbidden = (nearest: string | undefined, expected?: string) =>
  new Refusal(
    'extra_forbidden',
    'Extra inputs are not permitted',
    nearest === undefined ? (expected === undefined ? undefined : { expected }) : { nearest },
  )
/** The refusal of a query parameter whose name is a field of the body. */
export const belongsInBody = (name: string) =>
  new Refusal('extra_forbidden', 'Extra inputs are not permitted', {
    expected: `${name} as a member of the JSON body, not of the query`,
  })
export const notAnObject = new Refusal(
  'model_attributes_type',
  'Input should be a valid dictionary or object to extract fields from',
)
export const notText = new Refusal('string_type', 'Input should be a valid string')
export const notUnicode = new Refusal(
  'string_unicode',
  'Input should be a valid string, unable to parse raw data as a unicode string',
)
export const notAnInteger = new Refusal('int_type', 'Input should be a valid integer')
export const unreadableInteger = new Refusal(
  'int_parsing',
  'Input should be a valid integer, unable to parse string as an integer',
)
const unixSeconds = { expected: 'Unix seconds, such as 1795390502' }
/** The refusal of a date where a time in seconds is expected. */
export const unreadableTime = new Refusal(unreadableInteger.type, unreadableInteger.msg, unixSeconds)
export const oversizedInteger = new Refusal(
  'int_parsing_size',
  'Unable to parse input string as an integer, exceeded maximum size',
)
export const fractionalInteger = new Refusal(
  'int_from_float',
  'Input should be a valid integer, got a number with a fractional part',
)
export const notANumber = new Refusal('float_type', 'Input should be a valid number')
export const unreadableNumber = new Refusal(
  'float_parsing',
  'Input should be a valid number, unable to parse string as a number',
)
export const notFinite = new Refusal('finite_number', 'Input should be a finite number')
export const notABoolean = new Refusal('bool_type', 'Input should be a valid boolean')
export const unreadableBoolean = new Refusal(
  'bool_parsing',
  'Input should be a valid boolean, unable to interpret input',
)
export const notAUuid = new Refusal('uuid_type', 'UUID input should be a string, bytes or UUID object')
export const sentTwice = new Refusal('value_error', 'send this parameter once')
export const notAList = new Refusal('list_type', 'Input should be a valid list')
export const notADictionary = new Refusal('dict_type', 'Input should be a valid dictionary')

/** Refuses a number that is less than `ge`. */
export const belowMinimum = (ge: number) =>
  new Refusal('greater_than_equal', `Input should be greater than or equal to ${ge}`, { ge })

/** Refuses a number that is greater than `le`. */
export const aboveMaximum = (le: number) =>
  new Refusal('less_than_equal', `Input should be less than or equal to ${le}`, { le })

/** Refuses a time after `le`, such as one in milliseconds. */
export function lateTime(le: number): Refusal {
  const { type, msg } = aboveMaximum(le)
  return new Refusal(type, msg, { le, ...unixSeconds })
}

/** Refuses a text with fewer characters. */
export const textTooShort = (min_length: number) =>
  new Refusal('string_too_short', `String should have at least ${counted(min_length, 'character')}`, {
    min_length,
  })

/** Refuses a text with more characters. */
export const textTooLong = (max_length: number) =>
  new Refusal('string_too_long', `String should have at most ${counted(max_length, 'character')}`, {
    max_length,
  })

/** Refuses a value that is not one of these words. Pydantic lists them as Python literals: 'a', 'b' or 'c'. */
export function notOneOf(words: readonly string[]): Refusal {
  const quoted = words.map((word) => `'${word}'`)
  const last = quoted.pop()
  const expected = quoted.length > 0 ? `${quoted.join(', ')} or ${last}` : `${last}`
  return new Refusal('literal_error', `Input should be ${expected}`, { expected })
}

type Collection = 'List' | 'Dictionary'

/** Refuses a collection with fewer items. */
export const tooFewItems = (field_type: Collection, min_length: number, actual_length: number) =>
  new Refusal(
    'too_short',
    `${field_type} should have at least ${counted(min_length, 'item')} after validation, not ${actual_length}`,
    { field_type, min_length, actual_length },
  )

/** Refuses a collection with more items. */
export const tooManyItems = (field_type: Collection, max_length: number, actual_length: number) =>
  new Refusal(
    'too_long',
    `${field_type} should have at most ${counted(max_length, 'item')} after validation, not ${actual_length}`,
    { field_type, max_length, actual_length },
  )

function counted(count: number, noun: string) {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
