import { Crosswalk } from '../../sdk/src/main.ts'
import { type Access, accessOf } from './config/access.ts'
import { UsageError } from './exit.ts'
import type { Values } from './flag.ts'
import type { Io } from './io.ts'
import { type Format, Result } from './output/result.ts'
import { say } from './output/say.ts'
import { type Style, styleOf } from './output/style.ts'
import { visible } from './output/visible.ts'
import { retryText } from './retry-text.ts'
import { confirm } from './terminal/ask.ts'

export type ClientSettings = { fetch?: typeof fetch; apiKey?: string; baseUrl?: string; maxRetries?: number }

/** The environment of a command. */
export class Context {
  readonly io: Io
  readonly values: Values
  readonly result: Result
  /** How standard error shows texts. */
  readonly style: Style
  #access: Access | null = null

  constructor(io: Io, values: Values) {
    this.io = io
    this.values = values
    this.result = new Result(io, values.output as Format | undefined, values.columns as string | undefined)
    this.style = styleOf(io, io.stderr)
  }

  get access(): Access {
    this.#access ??= accessOf(this.io, this.values)
    return this.#access
  }

  /**
   * A client with the key of the environment or the profile, which acts on the target organization: see `checkTarget`.
   * @throws Failure without a key
   */
  client(settings: ClientSettings = {}): Crosswalk {
    const { targetOrg } = this.access
    // Not `forOrg`: it would read the organization of the key again, for each client.
    return this.#keyClient(
      targetOrg === null ? settings : { ...settings, fetch: actingOn(targetOrg, settings.fetch ?? fetch) },
    )
  }

  #keyClient(settings: ClientSettings): Crosswalk {
    const { baseUrl } = this.access
    return new Crosswalk({
      baseUrl,
      ...settings,
      apiKey: settings.apiKey ?? this.access.key(),
      onRetry: ({ waitMs, error }) => void this.say(retryText(error, waitMs)),
      ...(this.values.verbose
        ? {
            onResponse: ({ method, url, status, durationMs, requestId }) =>
              void this.say(
                `${method} ${visible(url)} ${status} ${Math.round(durationMs)} ms ${requestId ?? ''}`,
              ),
          }
        : {}),
    })
  }

  /**
   * With a target organization, checks that the key is an agency key. The server ignores the target of any other key, and
   * would change the key's own organization. Each command calls this before its first request.
   * @throws UsageError
   */
  async checkTarget(): Promise<void> {
    const { targetOrg } = this.access
    if (targetOrg === null) return
    if (targetOrg === '')
      throw new UsageError(
        '--target-org must be the id of an organization, not empty. So must CROSSWALK_TARGET_ORG: set it to an id, or unset it.',
      )
    if (!uuid.test(targetOrg))
      throw new UsageError(
        `--target-org must be the id of an organization, not ${visible(targetOrg)}. crosswalk agency clients list shows the ids.`,
      )
    const { is_agency, org } = await this.#keyClient({}).organization.get({ signal: this.io.signal })
    if (is_agency || org.org_id === targetOrg.toLowerCase()) return
    throw new UsageError(
      `The target organization needs an agency key. This API key acts only on ${visible(org.name)}. Use an agency key, or remove --target-org, CROSSWALK_TARGET_ORG and the target_org of the profile.`,
    )
  }

  /** Prints a message for people on standard error. Escape the text with `visible` first. */
  say(text: string): Promise<void> {
    return say(this.io, text)
  }

  /** Asks before an effect, unless there is `--yes`. @throws UsageError without a terminal, Failure for no */
  confirm(question: string): Promise<void> {
    return this.values.yes ? Promise.resolve() : confirm(this.io, question)
  }
}

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Sends each request with the organization to act on. */
const actingOn =
  (orgId: string, send: typeof fetch): typeof fetch =>
  async (url, init) => {
    const headers = new Headers(init?.headers)
    headers.set('x-target-org-id', orgId)
    return send(url, { ...init, headers })
  }
