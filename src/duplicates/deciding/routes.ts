import { z } from 'zod'
import type { Caller } from '../../platform/caller.ts'
import type { Tx } from '../../platform/db/tx.ts'
import { type Endpoint, endpoint } from '../../platform/http/endpoint.ts'
import { id } from '../../platform/http/fields.ts'
import { shownMerges } from '../recent.ts'
import { refusalToSee } from '../refusals.ts'
import { Merge } from '../schema.ts'
import { changeSettings, readAllSettings } from '../settings.ts'
import { applyProposal, dismissProposal } from './answer.ts'
import { ChangeDuplicateSettings, DuplicateSettings } from './schema.ts'
import { checkChanges, checkThresholds } from './settings-check.ts'

const tag = 'Duplicates'
const params = z.object({ id: id().describe('The `merge_id` of a shadow.') })
const errors = {
  404: 'No merge of this organization has this id',
  409: 'It is no proposal, or one that is out of date or was dismissed',
}

async function shown(tx: Tx, caller: Caller, mergeId: string): Promise<Merge> {
  const [merge] = await shownMerges(tx, caller, [mergeId])
  return merge!
}

export const decidingEndpoints: Endpoint[] = [
  endpoint({
    method: 'GET',
    path: '/duplicates/settings',
    name: 'get_duplicate_settings',
    summary: 'Read how duplicates are looked for',
    tag,
    permission: 'duplicates:read',
    shape: 'data',
    response: DuplicateSettings,
    handle: ({ org }) => org.read((tx) => readAllSettings(tx, org.orgId)),
  }),
  endpoint({
    method: 'PATCH',
    path: '/duplicates/settings',
    name: 'update_duplicate_settings',
    summary: 'Change how duplicates are looked for',
    description:
      'Changes only what is sent; null brings a setting back as it is shipped. What is proposed already is looked at again when its records change, and by the next scan.',
    tag,
    permission: 'duplicates:manage',
    body: ChangeDuplicateSettings,
    shape: 'data',
    response: DuplicateSettings,
    example: { contact: { rules: { same_external_id: 'auto' }, review_threshold: 0.95 } },
    handle: ({ org, caller, body }) => {
      checkChanges(body)
      return org.transact((tx) => changeSettings(tx, caller, body, checkThresholds))
    },
  }),
  endpoint({
    method: 'POST',
    path: '/duplicates/shadow/{id}/apply',
    name: 'apply_shadow_merge',
    summary: 'Merge what was proposed',
    description: 'The answer is the merge that is in force now; it can be undone like any other.',
    tag,
    permission: 'duplicates:write',
    params,
    refusesKept: refusalToSee,
    shape: 'data',
    response: Merge,
    errors,
    handle: ({ org, caller, context, params }) =>
      org.transact(async (tx) => shown(tx, caller, await applyProposal(tx, caller, params.id, context.jobs))),
  }),
  endpoint({
    method: 'POST',
    path: '/duplicates/shadow/{id}/dismiss',
    name: 'dismiss_shadow_merge',
    summary: 'Say that what was proposed is two and not one',
    description: 'The two are never proposed again.',
    tag,
    permission: 'duplicates:write',
    params,
    refusesKept: refusalToSee,
    shape: 'data',
    response: Merge,
    errors,
    handle: ({ org, caller, params }) =>
      org.transact(async (tx) => {
        await dismissProposal(tx, caller, params.id)
        return shown(tx, caller, params.id)
      }),
  }),
]
