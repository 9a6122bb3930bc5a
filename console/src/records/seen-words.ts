import type { Scope } from '../shell/scope.tsx'
import type { RecordKind } from './kinds.ts'

/** Which records a member with limited records sees; undefined: the member sees all. */
export function seenWords({ many }: RecordKind, { membership }: Scope): string | undefined {
  if (membership.record_access === 'all') return undefined
  return `You see only ${many} that ${membership.record_access === 'own' ? 'you own' : 'you or members of your teams own'}.`
}
