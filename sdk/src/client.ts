import { ConfigurationError } from './errors.ts'
import { operations, version } from './generated/operations.ts'
import { Resources } from './generated/resources.ts'
import type { Identity } from './generated/types.ts'
import { methodsOf } from './methods.ts'
import {
  apiAddress,
  type ClientOptions,
  clientOptions,
  requireKey,
  requireKnown,
  requireOrg,
  type SessionOptions,
  sessionOptions,
} from './options.ts'
import { type Track, trackOf } from './track.ts'
import { Transport } from './transport.ts'

/** A client of a Crosswalk server. Each resource is a property: `client.contacts.list()`. */
export class Crosswalk extends Resources {
  readonly #transport: Transport
  /** The organization of the API key, once `forOrg` needed it. */
  #identity: Promise<Identity> | null = null
  /** Reports what happens on your server, such as a payment, as an event of a visitor or a user. */
  readonly track: Track

  /** @throws ConfigurationError for an option that cannot work, and in a browser */
  constructor(options: ClientOptions)
  constructor(options: ClientOptions | Transport) {
    super()
    const isTransport = options instanceof Transport
    this.#transport = isTransport ? options : keyTransport(options ?? {})
    this.track = isTransport ? trackOf(null) : trackOf(this.#transport.forEvents(), options.onTrackError)
    Object.assign(this, methodsOf(this.#transport, operations))
  }

  /**
   * A client for a page of Crosswalk on which a member is signed in. A cookie authenticates its requests.
   * @throws ConfigurationError for an option that cannot work
   */
  static forSession(options: SessionOptions): Crosswalk {
    requireKnown(options, sessionOptions)
    const { baseUrl, orgId, mode = 'live', ...settings } = options
    const headers = { 'x-org-id': requireOrg(orgId), 'x-mode': mode }
    return clientOf(new Transport(baseUrl, { headers, credentials: 'same-origin' }, settings))
  }

  /**
   * A client that acts on a linked client of the agency. It has the same options and API key, and shares the request
   * pace: the server counts the requests of both together. Its first call throws ConfigurationError if the API key is
   * not an agency key.
   * @throws ConfigurationError without an id
   */
  forOrg(orgId: string): Crosswalk {
    const target = requireOrg(orgId)
    return clientOf(this.#transport.actingOn(target, () => this.#requireReach(target)))
  }

  /** The server ignores the target of any other API key, and would act on the key's own organization. */
  async #requireReach(orgId: string): Promise<void> {
    this.#identity ??= this.organization.get().catch((error) => {
      this.#identity = null
      throw error
    })
    const { is_agency: isAgency, org } = await this.#identity
    if (isAgency || org.org_id === orgId.toLowerCase()) return
    throw new ConfigurationError(
      `forOrg() needs an agency key. This API key acts only on its own organization, ${org.name}: nothing was sent.`,
    )
  }
}

const clientOf = (transport: Transport) => new Crosswalk(transport as unknown as ClientOptions)

function keyTransport(options: ClientOptions): Transport {
  requireKnown(options, clientOptions)
  const { apiKey, baseUrl, onTrackError, ...settings } = options
  const key = requireKey(apiKey)
  const address = apiAddress(baseUrl)
  if (typeof document !== 'undefined')
    throw new ConfigurationError(
      'An API key does not belong in a browser: everybody who opens the page can read it. Call Crosswalk from your server.',
    )
  const headers = { authorization: `Bearer ${key}`, 'user-agent': `crosswalk-sdk/${version}` }
  return new Transport(address, { headers }, settings)
}
