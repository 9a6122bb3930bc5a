import { actorWords } from '../parts/event-words.ts'
import type { Scope } from '../shell/scope.tsx'

/**
 * The name of the one who changed a record last.
 * @param since when the person read the record, in Unix seconds
 */
export async function authorSince({ api, can }: Scope, id: string, since: number): Promise<string> {
  if (!can('events:read')) return 'Somebody else'
  const { data } = await api.events.list({ object_id: id, created_since: since, limit: 1 })
  const [latest] = data
  return latest ? actorWords(latest.actor) : 'Somebody else'
}
