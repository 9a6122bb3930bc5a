import type { CreatePersona, Persona } from '../../../../sdk/src/generated/types.ts'
import { typedDecimal } from '../../parts/typed-number.ts'

/** The form values of a persona. All are texts, so that the server can explain an invalid number. */
export type Draft = {
  name: string
  role_title: string
  description: string
  instructions: string
  greeting: string
  voice_id: string
  language: string
  speed: string
}

/** @param persona null: the draft of a new persona */
export const draftOf = (persona: Persona | null): Draft => ({
  name: persona?.name ?? '',
  role_title: persona?.role_title ?? '',
  description: persona?.description ?? '',
  instructions: persona?.instructions ?? '',
  greeting: persona?.greeting ?? '',
  voice_id: persona?.voice.provider_voice_id ?? '',
  language: persona?.voice.language ?? '',
  speed: persona?.voice.speed?.toString() ?? '',
})

export type PersonaSettings = Required<CreatePersona>

const textOrNull = (text: string) => text.trim() || null

export const settingsOf = (draft: Draft): PersonaSettings => ({
  name: draft.name.trim(),
  role_title: textOrNull(draft.role_title),
  description: textOrNull(draft.description),
  instructions: textOrNull(draft.instructions),
  greeting: textOrNull(draft.greeting),
  voice: {
    provider_voice_id: textOrNull(draft.voice_id),
    language: textOrNull(draft.language),
    speed: draft.speed.trim() === '' ? null : typedDecimal(draft.speed),
  },
})

/** The names of the settings in the form. */
export const names: Record<keyof PersonaSettings, string> = {
  name: 'name',
  role_title: 'job title',
  description: 'purpose',
  instructions: 'instructions',
  greeting: 'first words',
  voice: 'voice',
}
