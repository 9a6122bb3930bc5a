import { z } from 'zod'
import { dictionary } from '../platform/http/collections.ts'
import { id, text } from '../platform/http/fields.ts'
import * as shown from '../platform/http/shown.ts'

/** Accepts unknown fields, because browsers may add some. */
export const credential = dictionary({ maxBytes: 65_536 })
const name = text({ min: 1, max: 100, trim: true }).describe(
  'The name of the passkey, such as the name of the device.',
)

const signed = credential.describe(
  'The answer of the browser to the options: AuthenticationResponseJSON of WebAuthn, unchanged.',
)
/** A new passkey, in a body. */
export const made = credential.describe(
  'The answer of the browser to the options: RegistrationResponseJSON of WebAuthn, unchanged.',
)

export const UsePasskey = z.object({ credential: signed }).meta({ title: 'UsePasskey' })
export const AddPasskey = z.object({ name, credential: made }).meta({ title: 'AddPasskey' })
export const RenamePasskey = z.object({ name }).meta({ title: 'RenamePasskey' })
export const PasskeyPath = z.object({ passkey_id: id().describe('The id of the passkey.') })
/** A passkey that confirms a session. */
export const signedToConfirm = signed

export const Options = z
  .object({
    options: z.record(z.string(), z.unknown()).meta({
      description:
        'The options for navigator.credentials, as JSON of WebAuthn. Their challenge works once, for 5 minutes.',
      examples: [{ challenge: '…', rpId: 'crosswalk.example', userVerification: 'required' }],
    }),
  })
  .meta({ title: 'PasskeyOptions' })

export const Passkey = z
  .object({
    passkey_id: shown.id('The id of the passkey.'),
    name: shown.text('The name of the passkey.', 'Laptop'),
    host: shown.text('The host at which the passkey works.', 'crosswalk.example'),
    is_synced: shown.flag('Whether the passkey is copied to other devices of the person.'),
    created_at: shown.time('When the passkey was added.'),
    used_at: shown.pendingTime('The last sign-in or confirmation with the passkey; null: none.'),
  })
  .meta({ title: 'Passkey' })
