import { type Act, type Acts, Visit } from './acts/act.ts'
import { agencyActs } from './acts/agencies.ts'
import { crmActs } from './acts/crm.ts'
import { dealActs } from './acts/deals.ts'
import { duplicateActs } from './acts/duplicates.ts'
import { importActs } from './acts/imports.ts'
import { keyActs } from './acts/keys.ts'
import { peopleActs } from './acts/people.ts'
import { personaActs } from './acts/personas.ts'
import { sandboxActs } from './acts/sandboxes.ts'
import { signatureActs } from './acts/signatures.ts'
import { suppressionActs } from './acts/suppressions.ts'
import { trackingActs } from './acts/tracking.ts'
import { voiceActs } from './acts/voice.ts'
import { webhookActs } from './acts/webhooks.ts'
import { oneOf } from './dice.ts'
import type { Actor } from './orgs.ts'
import { type Requests, Unanswered } from './requests.ts'

const acts: Acts = [
  ...[...peopleActs, ...dealActs, ...duplicateActs, ...personaActs, ...voiceActs],
  ...suppressionActs,
  ...agencyActs,
  ...sandboxActs,
  ...webhookActs,
  ...trackingActs,
  ...[...signatureActs, ...crmActs, ...importActs, ...keyActs],
]
const total = acts.reduce((sum, [weight]) => sum + weight, 0)

function pick(): Act {
  let left = Math.random() * total
  for (const [weight, act] of acts) {
    left -= weight
    if (left < 0) return act
  }
  return acts[0]![1]
}

/**
 * Runs acts in all organizations, `atOnce` at a time, until `signal` aborts. Then waits until the running acts end.
 */
export async function traffic(requests: Requests, atOnce: number, signal: AbortSignal): Promise<void> {
  const work = async () => {
    while (!signal.aborted) await perform(pick(), oneOf(requests.actors), requests)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

async function perform(act: Act, actor: Actor, requests: Requests): Promise<void> {
  try {
    await act(new Visit(actor, requests))
  } catch (error) {
    if (!(error instanceof Unanswered)) requests.ledger.fault(`an act broke off: ${(error as Error).stack}`)
  }
}

/** Runs all acts except calls, which take long, in one organization after another. */
export async function quietDay(requests: Requests): Promise<void> {
  const kinds = [
    peopleActs,
    dealActs,
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
  ]
  for (const actor of [...requests.actors])
    for (const [, act] of kinds.flat()) await perform(act, actor, requests)
}
