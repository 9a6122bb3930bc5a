import { createHash } from 'node:crypto'

/**
 * The id that all examples of the reference use for a member: a UUIDv7. `contact_id` and `contact_ids` have the same
 * example id.
 */
export function exampleId(member: string): string {
  const noun = member.replace(/_?ids?$/, '')
  const hex = createHash('sha256').update(noun).digest('hex')
  return `019b76da-a800-7${hex.slice(0, 3)}-9${hex.slice(3, 6)}-${hex.slice(6, 18)}`
}

const newYear = 1_767_225_600
const secondsLater: Readonly<Record<string, number>> = { created_at: 0, queued_at: 0, expires_at: 7 * 86_400 }

/** The time that examples use for a member, in Unix seconds. */
export const exampleTime = (member: string): number => newYear + (secondsLater[member] ?? 3_600)
