import type { WriteKey, WriteKeyPurpose } from '../../../../../sdk/src/generated/types.ts'
import { typedNumber } from '../../../parts/typed-number.ts'
import { filled, type Line, linesOf } from './origins-field.tsx'

/** The form values of a write key. Numbers are texts, so that the server can explain an invalid number. */
export type Draft = {
  name: string
  origins: Line[]
  purposes: WriteKeyPurpose[]
  events_per_second: string
  events_per_day: string
}

/** @param writeKey null: the draft of a new one, with the defaults of the API */
export const draftOf = (writeKey: WriteKey | null): Draft => ({
  name: writeKey?.name ?? '',
  origins: linesOf(writeKey?.origins ?? []),
  purposes: writeKey?.purposes ?? ['track', 'identify'],
  events_per_second: String(writeKey?.limits.events_per_second ?? 500),
  events_per_day: String(writeKey?.limits.events_per_day ?? 10_000_000),
})

export const settingsOf = ({ name, origins, purposes, events_per_second, events_per_day }: Draft) => ({
  name,
  origins: filled(origins).map(({ text }) => text.trim()),
  purposes,
  limits: {
    events_per_second: typedNumber(events_per_second),
    events_per_day: typedNumber(events_per_day),
  },
})

/** The names of the settings in the form. */
export const names = {
  name: 'name',
  origins: 'sites',
  purposes: 'calls',
  limits: 'limits',
}
