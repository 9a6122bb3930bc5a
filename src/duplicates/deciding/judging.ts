import { exactTotal } from '../../platform/db/page.ts'
import type { Tx } from '../../platform/db/tx.ts'
import type { EntityType } from '../entities.ts'
import { matchSchemas } from '../match-record.ts'
import { createMatcher } from '../matcher/matcher.ts'
import type { Matcher } from '../matcher/schema.ts'
import { shippedModel } from '../matcher/shipped.ts'
import { readSettings } from '../settings.ts'
import type { Judging } from './judge.ts'

/** Orgs with fewer records are judged as if they had so many: two records alone would otherwise be likely the same. */
const recordsLeast = 10_000

const matchers = new Map<string, Matcher>()

/** How an org's records of a kind are judged now. */
export async function readJudging(tx: Tx, orgId: string, entityType: EntityType): Promise<Judging> {
  const [settings, row] = await Promise.all([
    readSettings(tx, orgId, entityType),
    tx.first<{ total: string }>({
      text: `select (${exactTotal(entityType)})::text as total`,
      values: [orgId],
    }),
  ])
  return { settings, ...shippedMatcher(entityType, Number(row?.total ?? 0)) }
}

/** The matcher for so many records. Their number counts by its power of ten: a judgement shall not change with each record. */
export function shippedMatcher(
  entityType: EntityType,
  records: number,
): Pick<Judging, 'matcher' | 'modelVersion'> {
  const magnitude = 10 ** Math.ceil(Math.log10(Math.max(records, recordsLeast)))
  const name = `${entityType} ${magnitude}`
  const schema = matchSchemas[entityType]
  const model = shippedModel(schema, entityType)
  const matcher = matchers.get(name) ?? createMatcher({ schema, model, records: magnitude })
  matchers.set(name, matcher)
  return { matcher, modelVersion: model.version }
}
