import { networkOf } from '../../auth/anonymous-budget.ts'
import { forbidden, tooMany } from '../../platform/domain-error.ts'
import { nextSlice } from '../../platform/slices.ts'
import { type Browser, noBrowser } from '../privacy/browser.ts'
import { allowsOrigin } from '../wire/cors.ts'
import type { DropReason, WebEvent } from '../wire/event.ts'
import { keyInBody } from '../wire/find-key.ts'
import type { WirePath } from '../wire/paths.ts'
import { parseBody, readBatch, textOf } from '../wire/read-body.ts'
import { type Receipt, readEvent } from '../wire/read-event.ts'
import { type Budgets, eventsIn } from './budgets.ts'
import type { GroupCommit } from './group-commit.ts'
import type { LastSeen } from './last-seen.ts'
import type { Mistakes } from './mistakes.ts'
import type { PrivacyChoices } from './privacy-choices.ts'
import type { Sender, Senders } from './senders.ts'

/** Reading this many events takes 2 to 4 ms. */
const eventsAtOnce = 250

export type ReceiveParts = {
  senders: Senders
  budgets: Budgets
  commits: GroupCommit
  lastSeen: LastSeen
  privacy: PrivacyChoices
  mistakes: Mistakes
}

export type Received = {
  wire: WirePath
  body: Buffer
  encoding: string | undefined
  origin: string | undefined
  ip: string
  /** What the headers say of the browser. */
  browser: Browser
  /** The sender that the headers or the query named; null: the body has the key. */
  sender: Sender | null
  /** Called with the sender that the body named. */
  onSender: (sender: Sender) => void
}

/**
 * Stores the events of one request. They are durable when the promise resolves.
 * @throws DomainError that clients understand: 400, 401 and 403 are final, 429 and 503 are repeated
 */
export async function receive(parts: ReceiveParts, received: Received): Promise<void> {
  const { wire, ip } = received
  const receivedAt = Date.now()
  const text = await textOf(received.body, received.encoding)
  const body = readWithin(parts.budgets, text, received)
  const sender = received.sender ?? (await parts.senders.find(keyInBody(body), ip))
  received.onSender(sender)
  requireAllowed(sender, received)
  const batch = readBatch(body, wire.type === null)
  const units = eventsIn(text.length, batch.events.length)
  refuseOverBudget(parts.budgets.take(sender.limits, sender.address, units))
  const { orgId, mode, keyId, isTrusted, allowed } = sender
  const browser = isTrusted ? noBrowser : received.browser
  const receipt: Receipt = {
    ...{ orgId, type: wire.type, sentAt: batch.sentAt, receivedAt, isTrusted, allowed, browser },
    ...(await parts.privacy.of(orgId)),
  }
  const events: WebEvent[] = []
  const dropped = new Map<DropReason, number>()
  for (const [at, raw] of batch.events.entries()) {
    if (at > 0 && at % eventsAtOnce === 0) await nextSlice(orgId)
    const event = readEvent(raw, receipt)
    if (typeof event === 'string') {
      dropped.set(event, (dropped.get(event) ?? 0) + 1)
      parts.mistakes.noteDropped({ sender, origin: received.origin, type: wire.type }, event, raw)
    } else events.push(event)
  }
  if (events.length === 0 && dropped.size === 0) return
  await parts.commits.add({ orgId, mode, keyId, receivedAt, events, dropped, bytes: text.length })
  if (sender.writeKey) parts.lastSeen.note(sender.writeKey)
  if (events.length === 0 && dropped.size === 1 && dropped.has('purpose_not_allowed'))
    throw forbidden('purpose_not_allowed', 'The purposes of this write key do not include these calls')
}

/** Counts a request of a write key, or of one that the body may have, before its body is read. */
export function takeRequest({ budgets }: ReceiveParts, sender: Sender | null, ip: string): number | null {
  if (sender?.isTrusted) return null
  return budgets.takeRequest(sender?.limits.id ?? null, networkOf(ip))
}

/** @throws DomainError too_many, unless `waitSeconds` is null */
export function refuseOverBudget(waitSeconds: number | null): void {
  if (waitSeconds === null) return
  throw tooMany(
    'rate_limit_exceeded',
    `Too many events: wait ${waitSeconds} s (Retry-After), and send them again`,
    { retryAfterSeconds: waitSeconds },
  )
}

/** Parses a body if its sender may send one of this size, and counts it if it cannot be parsed. */
function readWithin(budgets: Budgets, text: string, { sender, ip }: Received): unknown {
  const units = eventsIn(text.length)
  refuseOverBudget(
    sender
      ? budgets.waitSeconds(sender.limits, sender.address, units)
      : budgets.takeUnknown(networkOf(ip), units),
  )
  try {
    return parseBody(text)
  } catch (error) {
    if (sender) budgets.take(sender.limits, sender.address, units)
    throw error
  }
}

function requireAllowed(sender: Sender, { wire, origin }: Received): void {
  if (wire.needsApiKey && !sender.isTrusted)
    throw forbidden('import_needs_api_key', 'Only an API key with tracking:write may import history')
  if (!allowsOrigin(sender.origins, origin))
    throw forbidden(
      'origin_not_allowed',
      'The origins of this write key do not include this site: add it to them',
    )
}
