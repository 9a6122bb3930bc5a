import { setTimeout as delay } from 'node:timers/promises'

type Message = { event_id: string; data: { object_id: string; details: { version: number | null } } }

/** A program that follows `GET /events/feed`, and repeats a request without an answer. */
export class FeedReader {
  address: string
  readonly eventIds: string[] = []
  /** How many versions of an object came in the wrong order. */
  disorder = 0
  readonly #token: string
  readonly #versions = new Map<string, number>()
  #cursor: string | null = null

  constructor(address: string, token: string) {
    this.address = address
    this.#token = token
  }

  /** Reads until `isEnough` returns true and no event is left. */
  async follow(isEnough: () => boolean): Promise<void> {
    for (;;) {
      const last = isEnough()
      const page = await this.#read()
      if (page === null) await delay(20)
      else if (page.events.length === 0 && !page.has_more && last) return
    }
  }

  async #read(): Promise<{ events: Message[]; has_more: boolean } | null> {
    const query = new URLSearchParams({
      types: 'contact.*',
      limit: String(1 + Math.floor(Math.random() * 200)),
    })
    if (this.#cursor !== null) query.set('cursor', this.#cursor)
    const answer = await fetch(`${this.address}/api/v1/events/feed?${query}`, {
      headers: { authorization: `Bearer ${this.#token}` },
    }).catch(() => null)
    if (!answer?.ok) return null
    const body = await answer.json().catch(() => null)
    if (body === null) return null
    this.#cursor = body.data.cursor
    for (const event of body.data.events as Message[]) this.#take(event)
    return body.data
  }

  #take({ event_id: eventId, data }: Message): void {
    this.eventIds.push(eventId)
    const { version } = data.details
    if (version === null) return
    if (version < (this.#versions.get(data.object_id) ?? 0)) this.disorder += 1
    this.#versions.set(data.object_id, version)
  }
}
