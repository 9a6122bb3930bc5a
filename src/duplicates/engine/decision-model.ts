import { defaultModel } from '../../matching/default-model.ts'
import type { EntityType } from '../../matching/entity-type.ts'
import { matchSchemas } from '../../matching/match-record.ts'
import { createMatcher } from '../../matching/matcher.ts'
import type { OrgTx } from '../../platform/db/org-tx.ts'
import { exactTotal } from '../../platform/db/record-totals.ts'
import { sql } from '../../platform/db/sql.ts'
import { defaultSettings, type EngineSettings } from '../settings.ts'
import type { DecisionModel } from './judge.ts'

/**
 * The minimum number of records for the model. With two records in an org, the model would expect them to be
 * duplicates.
 */
const recordsMin = 10_000

type DefaultMatcher = Pick<DecisionModel, 'matcher' | 'modelVersion'>

const matchers = new Map<string, DefaultMatcher>()

/** Reads what decisions about a record type depend on: the settings, and the matcher for its number of records. */
export async function readDecisionModel(tx: OrgTx, entityType: EntityType): Promise<DecisionModel> {
  const row = await tx.first(sql<{ settings: Partial<EngineSettings> | null; total: string }>`
    select (select settings from duplicate_settings where org_id = ${tx.orgId} and entity = ${entityType}) as settings,
      (${exactTotal(tx.orgId, entityType)})::text as total`)
  return {
    settings: { ...defaultSettings, ...row?.settings },
    ...defaultMatcher(entityType, Number(row?.total ?? 0)),
  }
}

/** Rounds the number of records up to a power of ten, so that a new record does not change all scores. */
export function defaultMatcher(entityType: EntityType, records: number): DefaultMatcher {
  const magnitude = 10 ** Math.ceil(Math.log10(Math.max(records, recordsMin)))
  const name = `${entityType} ${magnitude}`
  const known = matchers.get(name)
  if (known) return known
  const schema = matchSchemas[entityType]
  const model = defaultModel(schema, entityType)
  const made = { matcher: createMatcher({ schema, model, records: magnitude }), modelVersion: model.version }
  matchers.set(name, made)
  return made
}
