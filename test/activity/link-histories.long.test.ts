import fc from 'fast-check'
import { afterAll, expect, test } from 'vitest'
import { messageKeyOf } from '../../src/tracking/wire/ids.ts'
import { sharedTestApp } from '../support/app.ts'
import { identityTools } from '../support/identity.ts'
import { createContact, undo } from '../support/merges.ts'
import { newSite, postEvents, readData, visitorPath } from '../support/web-visitors.ts'

const app = await sharedTestApp()
afterAll(() => app.close())
const { applyNew } = identityTools(app)

/** An event. Its time is also its name. */
type Sent = {
  hoursAgo: number
  visitor: number
  isIdentify: boolean
  user: number | null
  isServer: boolean
}

const keyOf = ({ hoursAgo, isServer }: Sent) => messageKeyOf(`m${hoursAgo}`, isServer)

/** Asks all statements about each event, without intervals and without SQL. Users are numbers, and each has a contact. */
class NaiveModel {
  sent: Sent[] = []
  undone = new Set<Sent>()
  /** The contacts that a person named when accepting the claims of these statements. */
  accepted = new Map<Sent, number>()
  merged: { survivor: number; loser: number } | null = null

  contactOf = (user: number) => (this.merged?.loser === user ? this.merged.survivor : user)

  /** Groups of statements in a row that name the same user, oldest first. Undone statements do not count. */
  runs(visitor: number): Sent[][] {
    const runs: Sent[][] = []
    const counted = this.sent.filter(
      (each) => each.isIdentify && each.visitor === visitor && !this.undone.has(each),
    )
    for (const each of counted.toSorted((one, other) => other.hoursAgo - one.hoursAgo))
      if (runs.at(-1)?.at(-1)?.user === each.user) runs.at(-1)?.push(each)
      else runs.push([each])
    return runs
  }

  runAt({ visitor, hoursAgo }: Sent): Sent[] {
    const runs = this.runs(visitor)
    return runs.findLast(([first]) => (first?.hoursAgo ?? 0) >= hoursAgo) ?? runs[0] ?? []
  }

  /** The contact to which the visitor is linked at the time of an event; null: none. */
  linkAt(event: Sent): number | null {
    const run = this.runAt(event)
    if (!run.some((each) => each.isServer || this.accepted.has(each))) return null
    const named = run.map((each) => this.accepted.get(each)).findLast((contact) => contact !== undefined)
    return this.contactOf(named ?? run[0]?.user ?? 0)
  }

  /** The contact's events, newest first, and whether only a browser says that they belong to it. */
  eventsOf(contact: number): { event: Sent; claimed: boolean }[] {
    return this.sent
      .toSorted((one, other) => one.hoursAgo - other.hoursAgo)
      .flatMap((event) => {
        const isLinked = this.linkAt(event) === contact
        const says = this.sent.filter(({ visitor }) => visitor === event.visitor)
        const isStated = says.some((each) => each.isIdentify)
        const last = this.lastUser(says)
        const isLastUser = last !== undefined && this.contactOf(last.user ?? 0) === contact
        if (event.user === null) {
          const isOwned = isStated ? isLinked : isLastUser
          return isOwned ? [{ event, claimed: !isStated && last?.isServer === false }] : []
        }
        if (isLinked && this.runAt(event)[0]?.user === event.user) return [{ event, claimed: false }]
        if (this.contactOf(event.user) !== contact) return []
        // A visitor is found by its last user, its statements and its links.
        const isFound =
          isLastUser ||
          says.some((each) => each.isIdentify && this.contactOf(each.user ?? 0) === contact) ||
          says.some((each) => this.linkAt(each) === contact)
        const isProven = event.isServer || isLinked || (!isStated && isLastUser && last.isServer)
        return isFound ? [{ event, claimed: !isProven }] : []
      })
  }

  lastUser = (events: Sent[]) =>
    events
      .filter(({ user }) => user !== null)
      .toSorted(
        (one, other) => Number(other.isServer) - Number(one.isServer) || one.hoursAgo - other.hoursAgo,
      )
      .at(0)
}

type Step =
  | { kind: 'send'; events: Sent[] }
  | { kind: 'undo' | 'accept'; visitor: number; pick: number }
  | { kind: 'merge'; survivor: number; loser: number }
  | { kind: 'unmerge' }

const event = fc.record({
  visitor: fc.nat(2),
  isIdentify: fc.boolean(),
  user: fc.option(fc.nat(2)),
  isServer: fc.boolean(),
})
const onVisitor = (kind: 'undo' | 'accept') =>
  fc.record({ kind: fc.constant(kind), visitor: fc.nat(2), pick: fc.nat(5) })
const later = fc.oneof(
  { weight: 3, arbitrary: onVisitor('undo') },
  { weight: 3, arbitrary: onVisitor('accept') },
  fc.constantFrom<Step>({ kind: 'merge', survivor: 0, loser: 1 }, { kind: 'unmerge' }),
)
const hours = fc.uniqueArray(fc.integer({ min: 1, max: 160 }), { minLength: 24, maxLength: 24 })

/** Lots of events in any order, with other steps in between. */
const history = fc
  .tuple(fc.array(event, { minLength: 24, maxLength: 24 }), hours, fc.array(later, { minLength: 6 }))
  .map(([events, times, steps]): Step[] => {
    const placed = events.map(
      (each, at): Sent => ({
        ...{ ...each, hoursAgo: times[at] ?? 0 },
        // Only page views of the last visitor name its user, so it makes no statements.
        isIdentify: each.isIdentify && each.visitor < 2,
        user: each.isIdentify && each.visitor < 2 ? (each.user ?? 0) : each.user,
      }),
    )
    const lots = [0, 10, 16, 20].map(
      (from, at): Step => ({ kind: 'send', events: placed.slice(from, [10, 16, 20, 24][at]) }),
    )
    return lots.flatMap((lot, at) => [lot, ...steps.slice(at * 3, at * 3 + 3)])
  })

test('timelines match a naive model for any history of events, links, undos and merges', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (steps) => {
      const { org, key, server } = await newSite(app)
      const begun = Date.now()
      const contacts: string[] = []
      for (const user of [0, 1, 2])
        contacts.push(await createContact(org, { external_ids: { user_id: `user-${user}` } }))
      const model = new NaiveModel()
      let mergeId = ''

      const send = async (events: Sent[]) => {
        for (const isServer of [true, false])
          await postEvents(
            app,
            isServer ? server : key,
            events
              .filter((each) => each.isServer === isServer)
              .map(({ hoursAgo, visitor, user, isIdentify }) => ({
                ...{ type: isIdentify ? 'identify' : 'page', messageId: `m${hoursAgo}` },
                ...{ anonymousId: `a${visitor}`, timestamp: new Date(begun - hoursAgo * 3_600_000) },
                ...(user !== null && { userId: `user-${user}` }),
              })),
          )
        await applyNew()
        model.sent.push(...events)
      }
      const onVisitor = async (kind: 'undo' | 'accept', visitor: number, pick: number) => {
        const runs = model
          .runs(visitor)
          .filter((run) => kind === 'undo' || !run.some((each) => each.isServer || model.accepted.has(each)))
        const run = runs[pick % Math.max(1, runs.length)]
        const [first] = run ?? []
        if (!run || !first) return
        const path = visitorPath(org, `a${visitor}`)
        const target = kind === 'accept' && pick < 3 ? pick : (first.user ?? 0)
        const { status, body } =
          kind === 'undo'
            ? await org.post(`${path}/links/${keyOf(first)}/undo`)
            : await org.post(`${path}/claims/accept`, {
                ...{ claim_id: keyOf(first), ...(pick < 3 && { contact_id: contacts[target] }) },
              })
        expect([status, body.detail]).toEqual([200, undefined])
        if (kind === 'accept') model.accepted.set(first, model.contactOf(target))
        else for (const each of run) model.undone.add(each)
      }
      const merge = async (survivor: number, loser: number) => {
        if (model.merged) return
        const ids = { survivor_id: contacts[survivor], loser_ids: [contacts[loser]] }
        const { status, body } = await org.post('/duplicates/merge', {
          ...{ ...ids, entity_type: 'contact', force: true },
        })
        expect([status, body.detail]).toEqual([200, undefined])
        mergeId = body.data.merges[0].merge_id
        model.merged = { survivor, loser }
      }
      for (const step of steps) {
        if (step.kind === 'send') await send(step.events)
        else if (step.kind === 'merge') await merge(step.survivor, step.loser)
        else if (step.kind === 'unmerge') {
          if (model.merged) expect((await undo(org, mergeId)).status).toBe(200)
          model.merged = null
        } else await onVisitor(step.kind, step.visitor, step.pick)
      }

      for (const [contact, id] of contacts.entries()) {
        const { items } = await readData(org, `/contacts/${id}/activity?kinds=web_event&limit=100`)
        const shown = (items as { object_id: string; claimed: boolean }[]).map(
          ({ object_id: key, claimed }) => `${key} ${claimed}`,
        )
        const expected = model.eventsOf(model.contactOf(contact))
        expect(shown).toEqual(expected.map(({ event, claimed }) => `${keyOf(event)} ${claimed}`))
        const { visitors } = await readData(org, `/visitors?contact_id=${id}&limit=100`)
        const listed = new Set((visitors as { visitor_id: string }[]).map(({ visitor_id: one }) => one))
        for (const { event } of expected)
          expect(listed).toContain(visitorPath(org, `a${event.visitor}`).split('/').at(-1))
      }
    }),
    { numRuns: 4, endOnFailure: true },
  )
}, 300_000)
