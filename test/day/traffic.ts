import { type Action, ActorClient, type WeightedActions } from './actions/action.ts'
import { agencyActs } from './actions/agencies.ts'
import { bulkChangeActs } from './actions/bulk-changes.ts'
import { crmActs } from './actions/crm.ts'
import { dealActs } from './actions/deals.ts'
import { duplicateActs } from './actions/duplicates.ts'
import { fieldActs } from './actions/fields.ts'
import { importActs } from './actions/imports.ts'
import { keyActs } from './actions/keys.ts'
import { noteActs } from './actions/notes.ts'
import { ownerActs } from './actions/owners.ts'
import { peopleActs } from './actions/people.ts'
import { personaActs } from './actions/personas.ts'
import { sandboxActs } from './actions/sandboxes.ts'
import { segmentActs } from './actions/segments.ts'
import { signatureActs } from './actions/signatures.ts'
import { suppressionActs } from './actions/suppressions.ts'
import { trackingActs } from './actions/tracking.ts'
import { visitorActs } from './actions/visitors.ts'
import { voiceActs } from './actions/voice.ts'
import { webhookActs } from './actions/webhooks.ts'
import { oneOf } from './dice.ts'
import type { Actor } from './orgs.ts'
import { type Requests, Unanswered } from './requests.ts'

const actions: WeightedActions = [
  ...[...peopleActs, ...dealActs, ...fieldActs, ...duplicateActs, ...personaActs, ...voiceActs],
  ...noteActs,
  ...ownerActs,
  ...segmentActs,
  ...bulkChangeActs,
  ...suppressionActs,
  ...agencyActs,
  ...sandboxActs,
  ...webhookActs,
  ...[...trackingActs, ...visitorActs],
  ...[...signatureActs, ...crmActs, ...importActs, ...keyActs],
]
const total = actions.reduce((sum, [weight]) => sum + weight, 0)

function pick(): Action {
  let left = Math.random() * total
  for (const [weight, action] of actions) {
    left -= weight
    if (left < 0) return action
  }
  return actions[0]![1]
}

/**
 * Runs actions in all organizations, `atOnce` at a time, until `signal` aborts. Then waits until the running actions end.
 */
export async function traffic(requests: Requests, atOnce: number, signal: AbortSignal): Promise<void> {
  const work = async () => {
    while (!signal.aborted) await perform(pick(), oneOf(requests.actors), requests)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

async function perform(action: Action, actor: Actor, requests: Requests): Promise<void> {
  try {
    await action(new ActorClient(actor, requests))
  } catch (error) {
    if (!(error instanceof Unanswered))
      requests.ledger.fault(`an action broke off: ${(error as Error).stack}`)
  }
}

const quiet: readonly WeightedActions[] = [
  peopleActs,
  dealActs,
  fieldActs,
  noteActs,
  segmentActs,
  bulkChangeActs,
  duplicateActs,
  personaActs,
  signatureActs,
  crmActs,
  importActs,
  suppressionActs,
  agencyActs,
  sandboxActs,
  webhookActs,
  trackingActs,
  visitorActs,
]

/** Runs all actions except calls, which take long, in one organization after another. */
export async function quietDay(requests: Requests, kinds: readonly WeightedActions[] = quiet): Promise<void> {
  for (const actor of [...requests.actors])
    for (const [, action] of kinds.flat()) await perform(action, actor, requests)
}
