import type { IncomingHttpHeaders } from 'node:http'
import { networkOf } from '../../platform/client-network.ts'
import { FairLimiter } from '../../platform/db/fair-limiter.ts'
import { forbidden, tooMany } from '../../platform/domain-error.ts'
import type { Remote } from '../../platform/processes/remote-counter.ts'
import { inSlices, shareTurn } from '../../platform/slices.ts'
import { type Browser, noBrowser } from '../privacy/browser.ts'
import { allowsOrigin } from '../wire/cors.ts'
import type { DropReason, WebEvent } from '../wire/event.ts'
import { keyInBody } from '../wire/find-key.ts'
import { smallLength } from '../wire/large-body.ts'
import type { WirePath } from '../wire/paths.ts'
import { eventOf, type RawBatch, readBatch, readingBody, textOf } from '../wire/read-body.ts'
import { type EventFacts, readEvent } from '../wire/read-event.ts'
import { type Budgets, countedEvents } from './budgets.ts'
import type { Delivery, GroupCommit } from './group-commit.ts'
import type { IngestFaults } from './ingest-faults.ts'
import type { LastSeen } from './last-seen.ts'
import { OverBudget } from './over-budget.ts'
import type { PrivacyChoices } from './privacy-choices.ts'
import type { Sender, Senders } from './senders.ts'
import type { VerifiedUsers } from './verified-users.ts'

/** The owner of all bodies of requests whose key is inside the body. */
const strangers = 'visitors'
/** An inflated body may need 100 times the memory of the compressed one. */
const limiter = new FairLimiter({ max: 2, waitMs: 10_000, waitingMax: 1_000 })
/** Bodies of unknown senders share one place in `limiter`, in which an address must not come before all other addresses. */
const ofNetwork = new FairLimiter({ max: 2, waitMs: 10_000, waitingMax: 100 })
/**
 * While this process serves other organizations, it reads one large body of a payer at a time, after the rest that
 * follows the previous body. Otherwise this thread would read one while PostgreSQL stores another, and use both cores
 * without a break.
 */
const turns = new FairLimiter({ max: 1_000, maxBesideOthers: 1, waitMs: 10_000, waitingMax: 1_000 })
/** Bodies up to this length do not take turns: many of them may share a commit. */
const turnLength = 16 * 1024
const overBudget = new OverBudget()

export type ReceiveParts = {
  senders: Senders
  budgets: Remote<Budgets>
  commits: GroupCommit
  lastSeen: LastSeen
  privacy: PrivacyChoices
  users: VerifiedUsers
  faults: IngestFaults
}

export type ReceivedBody = {
  wire: WirePath
  body: Buffer
  headers: IncomingHttpHeaders
  encoding: string | undefined
  origin: string | undefined
  ip: string
  /** The browser, according to the headers. */
  browser: Browser
  /** The sender that the headers or the query named; null: the body has the key. */
  sender: Sender | null
  /** Called with the sender that the body named. */
  onSender: (sender: Sender) => void
}

/**
 * Stores the events of one request. They are durable when the promise resolves.
 * @throws DomainError with a status that clients understand: they repeat after 429 and 503, and give up after 400, 401
 * and 403; OrgBusy
 */
export async function receive(parts: ReceiveParts, received: ReceivedBody): Promise<void> {
  const { body, sender } = received
  if (sender === null || body.length <= turnLength) return store(parts, received)
  refuseOverBudget(overBudget.waitSecondsOf(sender))
  return turns.run(sender.payerId, async () => {
    await parts.commits.untilRested(sender.payerId)
    await store(parts, received)
  })
}

async function store(parts: ReceiveParts, received: ReceivedBody): Promise<void> {
  const { body, encoding } = received
  const read = () => readRequest(parts, received)
  const mayBeLarge = body.length > smallLength || encoding !== undefined
  const { sender, delivery } = await (mayBeLarge ? readInOrder(received, read) : read())
  const { events, dropped } = delivery
  if (events.length === 0 && dropped.size === 0) return
  await parts.commits.add(delivery)
  if (sender.writeKey) parts.lastSeen.note(sender.writeKey)
  if (events.length === 0 && dropped.size === 1 && dropped.has('purpose_not_allowed'))
    throw forbidden('purpose_not_allowed', 'The purposes of this write key do not include these calls')
}

/**
 * Reads a body that may be large when it is its turn: among those of its sender, or of all unknown senders. Refuses it
 * unread while its sender is over its budget.
 */
function readInOrder<Result>({ sender, ip }: ReceivedBody, read: () => Promise<Result>): Promise<Result> {
  if (sender)
    return limiter.run(sender.owner, async () => {
      refuseOverBudget(overBudget.waitSecondsOf(sender))
      return read()
    })
  return ofNetwork.run(networkOf(ip), () => limiter.run(strangers, read))
}

async function readRequest(
  parts: ReceiveParts,
  received: ReceivedBody,
): Promise<{ sender: Sender; delivery: Delivery }> {
  const { wire, sender: known } = received
  const receivedAt = Date.now()
  if (known) requireAllowed(known, received)
  const text = await textOf(received.body, received.encoding)
  // One turn of the event loop may get hundreds of small bodies.
  await shareTurn(known?.owner ?? strangers)
  const body = await readWithin(parts.budgets, text, received)
  const sender = known ?? (await findInBody(parts, body, received))
  const batch = readBatch(body, wire.type === null)
  await countEvents(parts.budgets, sender, { text, batch, isCounted: known !== null })
  const { orgId, mode, keyId, isTrusted, allowed, owner, payerId } = sender
  const browser = isTrusted ? noBrowser : received.browser
  const receipt: EventFacts = {
    ...{ orgId, type: wire.type, sentAt: batch.sentAt, receivedAt, isTrusted, allowed, browser },
    ...(await parts.privacy.of(orgId)),
    findVerified: await parts.users.of(sender, text, batch),
  }
  const source = { sender, origin: received.origin, type: wire.type }
  const onDropped = (reason: DropReason, raw: unknown) => parts.faults.noteDropped(source, reason, raw)
  const { events, dropped } = await inSlices(owner, readingEvents(batch, receipt, onDropped))
  return {
    sender,
    delivery: { owner, payerId, orgId, mode, keyId, receivedAt, events, dropped, bytes: text.length },
  }
}

function* readingEvents(
  batch: RawBatch,
  receipt: EventFacts,
  onDropped: (reason: DropReason, raw: unknown) => void,
): Generator<undefined, { events: WebEvent[]; dropped: Map<DropReason, number> }> {
  const events: WebEvent[] = []
  const dropped = new Map<DropReason, number>()
  for (const each of batch.events) {
    const raw = eventOf(each)
    const event = readEvent(raw, receipt)
    if (typeof event === 'string') {
      dropped.set(event, (dropped.get(event) ?? 0) + 1)
      onDropped(event, raw)
    } else events.push(event)
    yield
  }
  return { events, dropped }
}

/** Counts a request before its body is read. @param sender null: the body may have the key */
export async function countRequest(
  { budgets }: ReceiveParts,
  sender: Sender | null,
  ip: string,
): Promise<number | null> {
  return budgets.countRequest(sender?.limits ?? null, sender ? sender.address : networkOf(ip))
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

/**
 * Parses a body if its sender may send that many bytes. Counts the body first: while a large body is parsed in slices,
 * more bodies of the sender arrive.
 */
async function readWithin(
  budgets: Remote<Budgets>,
  text: string,
  { sender, ip }: ReceivedBody,
): Promise<unknown> {
  const units = countedEvents(text.length)
  if (sender) await takeEvents(budgets, sender, units)
  else refuseOverBudget(await budgets.countEventsOfUnknownKey(networkOf(ip), units))
  return inSlices(sender?.owner ?? strangers, readingBody(text))
}

async function findInBody(
  { senders, budgets }: ReceiveParts,
  body: unknown,
  received: ReceivedBody,
): Promise<Sender> {
  const sender = await senders.find(keyInBody(body), received.ip, received.headers)
  received.onSender(sender)
  // Count the request for the key too: until now, it was counted only for the address.
  refuseOverBudget(await budgets.countRequest(sender.limits, null))
  requireAllowed(sender, received)
  return sender
}

type ToCount = { text: string; batch: RawBatch; isCounted: boolean }

/** Counts the events of a body, in place of its size. @param isCounted whether the size was counted for the sender */
async function countEvents(
  budgets: Remote<Budgets>,
  sender: Sender,
  { text, batch, isCounted }: ToCount,
): Promise<void> {
  if (isCounted) void budgets.giveBack(sender.limits, sender.address, countedEvents(text.length))
  await takeEvents(budgets, sender, countedEvents(text.length, batch.events.length))
}

async function takeEvents(budgets: Remote<Budgets>, sender: Sender, events: number): Promise<void> {
  const waitSeconds = await budgets.countEvents(sender.limits, sender.address, events)
  if (waitSeconds === null) return
  overBudget.note(sender, waitSeconds, await budgets.spentByAll(sender.limits, sender.address, events))
  refuseOverBudget(waitSeconds)
}

function requireAllowed(sender: Sender, { wire, origin }: ReceivedBody): void {
  if (wire.needsApiKey && !sender.isTrusted)
    throw forbidden('import_needs_api_key', 'Only an API key with tracking:write may import history')
  if (!allowsOrigin(sender.origins, origin))
    throw forbidden(
      'origin_not_allowed',
      'The origins of this write key do not include this site: add it to them',
    )
}
