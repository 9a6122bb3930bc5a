import type { Persona } from '../../../../sdk/src/generated/types.ts'

const states = {
  active: { kind: 'ok', word: 'active' },
  draft: { kind: 'off', word: 'draft' },
  archived: { kind: 'off', word: 'archived' },
} as const

export const personaState = ({ status }: Persona) => states[status]
