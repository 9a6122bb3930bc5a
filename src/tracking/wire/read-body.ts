import { gunzip } from 'node:zlib'
import { invalid } from '../../platform/domain-error.ts'
import {
  batchMax,
  EventText,
  findingEvents,
  LargeBody,
  parseJson,
  smallLength,
  tooLargeEvent,
  tooManyEvents,
} from './large-body.ts'

/** The maximum size of a body in bytes, as it is sent. */
export const sentBytesMax: number = 1024 * 1024
/** The maximum size of an inflated body in bytes. */
export const inflatedBytesMax: number = 4 * 1024 * 1024
/** The events of one request, not yet read. Events of a large body are not parsed yet. */
export type RawBatch = { events: readonly unknown[]; sentAt: unknown }

/**
 * The text of a body. Inflation stops at `inflatedBytesMax`, whatever the body claims.
 * @throws DomainError invalid
 */
export async function textOf(body: Buffer, encoding: string | undefined): Promise<string> {
  const coding = (encoding ?? '').trim().toLowerCase()
  if (coding === '' || coding === 'identity') return body.toString()
  if (coding !== 'gzip' && coding !== 'x-gzip')
    throw invalid('events_unreadable', 'The Content-Encoding is not known here: send gzip, or no encoding')
  return (await inflate(body)).toString()
}

function inflate(body: Buffer): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    gunzip(body, { maxOutputLength: inflatedBytesMax }, (error, inflated) => {
      if (!error) return resolve(inflated)
      const isLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE'
      reject(
        isLarge
          ? invalid('events_too_large', 'The inflated body is larger than 4 MiB: send fewer events at a time')
          : invalid('events_unreadable', 'The body is not valid gzip: send it again, or without an encoding'),
      )
    })
  })
}

/**
 * The JSON value of a body of any content type. For a large body, only the needed members.
 * @throws DomainError invalid
 */
export function* readingBody(text: string): Generator<undefined, unknown> {
  return text.length <= smallLength ? parseJson(text) : yield* findingEvents(text)
}

/**
 * The events of a body: the items of `batch`, or the body itself.
 * @throws DomainError invalid if the body is not an object, has no list of events, or has too many
 */
export function readBatch(body: unknown, isBatch: boolean): RawBatch {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw invalid(
      'events_unreadable',
      'The body is not a JSON object: send one event, or {"batch": [events]}',
    )
  const { batch, sentAt } = body as { batch?: unknown; sentAt?: unknown }
  if (!isBatch) return { events: [body instanceof LargeBody ? tooLargeEvent : body], sentAt }
  if (!Array.isArray(batch))
    throw invalid('events_unreadable', 'The body has no list of events: send {"batch": [events]}')
  if (batch.length > batchMax) throw tooManyEvents()
  return { events: batch, sentAt }
}

/** Returns the value of an event of `readBatch`. @throws DomainError invalid if its text is not valid JSON */
export function eventOf(raw: unknown): unknown {
  if (!(raw instanceof EventText)) return raw
  return raw.text.length > smallLength ? tooLargeEvent : parseJson(raw.text)
}
