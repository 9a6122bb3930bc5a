import { exactTotal } from '../../platform/db/page.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { EntityType } from '../entities.ts'
import { matchSchemas } from '../match-record.ts'
import { createMatcher } from '../matcher/matcher.ts'
import { shippedModel } from '../matcher/shipped.ts'
import { type Settings, shipped } from '../settings.ts'
import type { Judging } from './judge.ts'

/** Orgs with fewer records are judged as if they had so many: two records alone would otherwise be likely the same. */
const recordsLeast = 10_000

const matchers = new Map<string, Shipped>()

type Shipped = Pick<Judging, 'matcher' | 'modelVersion'>

/** How an org's records of a kind are judged now. */
export async function readJudging(tx: Tx, orgId: string, entityType: EntityType): Promise<Judging> {
  const row = await tx.first<{ settings: Partial<Settings> | null; total: string }>({
    text: `
      select (select settings from duplicate_settings where org_id = $1 and entity = $2) as settings,
        (${exactTotal(entityType)})::text as total`,
    values: [orgId, entityType],
  })
  return { settings: { ...shipped, ...row!.settings }, ...shippedMatcher(entityType, Number(row!.total)) }
}

/** The matcher for so many records. Their number counts by its power of ten: a judgement shall not change with each record. */
export function shippedMatcher(entityType: EntityType, records: number): Shipped {
  const magnitude = 10 ** Math.ceil(Math.log10(Math.max(records, recordsLeast)))
  const name = `${entityType} ${magnitude}`
  const known = matchers.get(name)
  if (known) return known
  const schema = matchSchemas[entityType]
  const model = shippedModel(schema, entityType)
  const made = { matcher: createMatcher({ schema, model, records: magnitude }), modelVersion: model.version }
  matchers.set(name, made)
  return made
}
