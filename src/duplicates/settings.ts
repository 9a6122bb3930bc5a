import type { Tx } from '../platform/db/tx.ts'
import type { EntityType } from './entities.ts'

export type Mode = 'off' | 'shadow' | 'auto'

/** How an org looks for duplicates of one kind. */
export type Settings = {
  mode: Mode
  /** Modes of single rules, where they are not `mode`. */
  rules: Record<string, Mode>
  /** Probabilities, 0 to 1: at or above, the engine merges; at or above, it proposes. */
  auto_threshold: number
  review_threshold: number
  /** By field, the policy that decides between two records. */
  survivorship: Record<string, string>
  /** For how many days a merge can be undone; null: for good. */
  undo_days: number | null
}

/** As shipped: proposals, and nothing that happens by itself. */
export const shipped: Settings = {
  mode: 'shadow',
  rules: {},
  auto_threshold: 0.999,
  review_threshold: 0.9,
  survivorship: {},
  undo_days: null,
}

/** The settings of an org. */
export async function readSettings(tx: Tx, orgId: string, entityType: EntityType): Promise<Settings> {
  const row = await tx.first<{ settings: Partial<Settings> }>({
    text: 'select settings from duplicate_settings where org_id = $1 and entity = $2',
    values: [orgId, entityType],
  })
  return { ...shipped, ...row?.settings }
}
