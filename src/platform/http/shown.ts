import { z } from 'zod'

// The schemas of members of answers. Each has a description and an example.

/** An id as a UUID. */
export const id = (description: string): z.ZodString => z.string().meta({ format: 'uuid', description })

/** A time in Unix seconds. */
export const time = (description: string): z.ZodInt => z.int().meta({ format: 'unix-seconds', description })

/** Like `time`, but the example shows null, because the event is still to come. */
export const pendingTime = (description: string): z.ZodNullable<z.ZodInt> =>
  time(description)
    .nullable()
    .meta({ examples: [null] })

/** A text. */
export const text = (description: string, example: string): z.ZodString =>
  z.string().meta({ description, examples: [example] })

/** An integer. */
export const count = (description: string, example = 0): z.ZodInt =>
  z.int().meta({ description, examples: [example] })

/** A boolean. */
export const flag = (description: string, example = false): z.ZodBoolean =>
  z.boolean().meta({ description, examples: [example] })

/** One of some words, as a component with the name `title`. */
export const word = <const Words extends readonly string[]>(
  title: string,
  words: Words,
  description: string,
  example: Words[number] | undefined = words[0],
): z.ZodEnum<{ [Word in Words[number]]: Word }> =>
  z.enum(words).meta({ title, description, examples: [example] }) as never

/** The version of an object, for If-Match. */
export const version = (): z.ZodInt =>
  count(
    'A number that rises with every change. Send it in If-Match, and the server refuses your change if the object has changed since.',
    1,
  )

/** The mode of an API key: `live` or `test`. */
export const mode = (
  description: string,
  example: 'live' | 'test' = 'live',
): z.ZodEnum<{ live: 'live'; test: 'test' }> => word('Mode', ['live', 'test'], description, example)
