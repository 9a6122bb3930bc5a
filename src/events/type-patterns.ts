import { type EventType, eventTypes, nounOf } from './catalog.ts'

const patternOf = (type: EventType) => `${nounOf(type)}.*`

/** The patterns that a client may send: `*`, `contact.*` and each type. */
export const typePatterns: readonly string[] = ['*', ...new Set(eventTypes.map(patternOf)), ...eventTypes]

/** Returns the types that patterns match; null: all types. */
export function typesOf(patterns: readonly string[]): readonly EventType[] | null {
  if (patterns.includes('*')) return null
  const named = new Set(patterns)
  return eventTypes.filter((type) => named.has(type) || named.has(patternOf(type)))
}

// A test API key only simulates calls, pushes and installs. All its other changes are real.
const simulatedNouns = new Set(['call', 'crm_job', 'signature'])
const simulatedTypes = new Set<string>(['mailbox.pushed', 'signature_template.pushed'])

/** Returns whether events of a type are simulated if they come from a test API key. */
export const isSimulated = (type: EventType): boolean =>
  simulatedTypes.has(type) || simulatedNouns.has(nounOf(type))
