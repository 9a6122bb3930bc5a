import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'

/** The changes that a test makes in a valid answer. */
export type Change = {
  origin?: string
  rpId?: string
  challenge?: string
  /** Both are true by default. */
  isPresent?: boolean
  isVerified?: boolean
  crossOrigin?: boolean
  userHandle?: string
  type?: string
  attestation?: { fmt: string; attStmt: CborMap }
}

// biome-ignore lint/suspicious/noExplicitAny: options and credentials are the JSON of WebAuthn
type Json = any
type CborMap = Map<string | number, Cbor>
type Cbor = number | string | Buffer | CborMap | Cbor[]

const sha256 = (data: Buffer | string) => createHash('sha256').update(data).digest()

/** A software device with one ES256 passkey (WebAuthn Level 3). */
export class Authenticator {
  readonly id: Buffer = randomBytes(32)
  readonly #keys = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  readonly #origin: string
  /** The handle of the person whose passkey it is. */
  userHandle = ''
  /** Increases with each signature. A device with the counter 0 does not count. */
  counter: number

  constructor(origin: string, { counter = 0 } = {}) {
    this.#origin = origin
    this.counter = counter
  }

  /** The public key of the passkey, in COSE. */
  get publicKey(): Buffer {
    return encode(coseOf(this.#keys.publicKey))
  }

  /** Answers creation options: RegistrationResponseJSON. */
  create(options: Json, change: Change = {}): Json {
    this.userHandle = options.user.id
    const attestation: CborMap = new Map<string, Cbor>([
      ['fmt', change.attestation?.fmt ?? 'none'],
      ['attStmt', change.attestation?.attStmt ?? new Map()],
      ['authData', Buffer.concat([this.#data(options.rp.id, change, 0x40), this.#attested()])],
    ])
    return this.#credential({
      clientDataJSON: this.#clientData('webauthn.create', options.challenge, change),
      attestationObject: encode(attestation).toString('base64url'),
      transports: ['internal', 'hybrid'],
    })
  }

  /** Answers request options: AuthenticationResponseJSON. */
  get(options: Json, change: Change = {}): Json {
    if (this.counter > 0) this.counter++
    const clientDataJSON = this.#clientData('webauthn.get', options.challenge, change)
    const data = this.#data(options.rpId, change)
    const signed = Buffer.concat([data, sha256(Buffer.from(clientDataJSON, 'base64url'))])
    return this.#credential({
      clientDataJSON,
      authenticatorData: data.toString('base64url'),
      signature: sign('sha256', signed, this.#keys.privateKey).toString('base64url'),
      userHandle: change.userHandle ?? this.userHandle,
    })
  }

  #credential(response: object): Json {
    const id = this.id.toString('base64url')
    return { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response }
  }

  #clientData(type: string, challenge: string, change: Change): string {
    const data = {
      type: change.type ?? type,
      challenge: change.challenge ?? challenge,
      origin: change.origin ?? this.#origin,
      crossOrigin: change.crossOrigin ?? false,
    }
    return Buffer.from(JSON.stringify(data)).toString('base64url')
  }

  #data(rpId: string, { rpId: other, isPresent = true, isVerified = true }: Change, flags = 0): Buffer {
    const counter = Buffer.alloc(4)
    counter.writeUInt32BE(this.counter)
    const all = flags | (isPresent ? 0x01 : 0) | (isVerified ? 0x04 : 0)
    return Buffer.concat([sha256(other ?? rpId), Buffer.from([all]), counter])
  }

  #attested(): Buffer {
    const length = Buffer.alloc(2)
    length.writeUInt16BE(this.id.length)
    return Buffer.concat([Buffer.alloc(16), length, this.id, this.publicKey])
  }
}

/** An ES256 key in COSE (RFC 9053, section 7.1.1). */
function coseOf(key: KeyObject): CborMap {
  const { x = '', y = '' } = key.export({ format: 'jwk' })
  return new Map<number, Cbor>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, Buffer.from(x, 'base64url')],
    [-3, Buffer.from(y, 'base64url')],
  ])
}

/** The part of CBOR (RFC 8949) that authenticators use. */
function encode(value: Cbor): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(encode)])
  const entries = [...value].flatMap(([key, item]) => [encode(key), encode(item)])
  return Buffer.concat([head(5, value.size), ...entries])
}

function head(major: number, length: number): Buffer {
  const type = major << 5
  if (length < 24) return Buffer.from([type | length])
  if (length < 256) return Buffer.from([type | 24, length])
  return Buffer.from([type | 25, length >> 8, length & 0xff])
}
