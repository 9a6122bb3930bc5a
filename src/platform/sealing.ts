import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'

const cipher = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16

/**
 * Seals a text with AES-256-GCM (NIST SP 800-38D) and a random nonce.
 * @param key 32 bytes, for at most 2^32 texts
 * @param context identifies the owner. The text opens only with the same context
 * @returns nonce, tag and ciphertext
 */
export function seal(key: Buffer, text: string, context = ''): Buffer {
  const nonce = randomBytes(nonceBytes)
  const encryption = createCipheriv(cipher, key, nonce).setAAD(Buffer.from(context))
  const sealed = Buffer.concat([encryption.update(text, 'utf8'), encryption.final()])
  return Buffer.concat([nonce, encryption.getAuthTag(), sealed])
}

/** Opens a sealed text. Returns null if the key or the context differs, or if the sealed text was changed. */
export function unseal(key: Buffer, sealed: Buffer, context = ''): string | null {
  try {
    const decryption = createDecipheriv(cipher, key, sealed.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    })
    decryption.setAAD(Buffer.from(context))
    decryption.setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes))
    const text = [decryption.update(sealed.subarray(nonceBytes + tagBytes)), decryption.final()]
    return Buffer.concat(text).toString()
  } catch {
    return null
  }
}
