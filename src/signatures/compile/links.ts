/** Characters that no address needs, and that could end an attribute or disguise the address. */
const forbiddenCharacters = /[<>"'`\\{}|^\p{Cc}\p{Cf}]/u
const schemes = /^(?:https?:\/\/|mailto:|tel:)/i
const telephone = /^tel:[+\d*#][\d().\-*#;=a-z]{1,60}$/i
const mailAddress = /^mailto:[^\s@:?]{1,100}@[^\s@:?]{1,255}(?:\?\S{0,500})?$/i

/** Encodes spaces. Removes them from telephone numbers, which people write in groups. */
export function tidyAddress(address: string): string {
  if (/^tel:[+\d\s().\-*#]+$/i.test(address.trim())) return address.replaceAll(/\s/gu, '')
  return address.trim().replaceAll(/\s/gu, (space) => encodeURIComponent(space))
}

/** Why a link to `href` is not allowed; null if it is. */
export function linkProblem(href: string): string | null {
  if (href === '') return 'it has no address'
  if (!schemes.test(href)) return 'the address of a link must begin with https://, http://, mailto: or tel:'
  if (forbiddenCharacters.test(href)) return 'its address contains characters that are not allowed'
  if (/^tel:/i.test(href)) return telephone.test(href) ? null : 'it is not a telephone number'
  if (/^mailto:/i.test(href)) return mailAddress.test(href) ? null : 'it is not an e-mail address'
  return webProblem(href)
}

/** Why a picture at `src` is not allowed; null if it is. */
export function imageProblem(src: string): string | null {
  if (src === '') return 'it has no address'
  if (/^data:|^cid:/i.test(src))
    return 'a picture must be on the web: mail programs show no embedded pictures in signatures'
  if (!/^https:\/\//i.test(src)) return 'the address of a picture must begin with https://'
  if (forbiddenCharacters.test(src)) return 'its address contains characters that are not allowed'
  return webProblem(src)
}

function webProblem(address: string): string | null {
  if (address.length > 1000) return 'its address is longer than 1,000 characters'
  const url = URL.parse(address)
  if (url === null) return 'its address is not a valid URL'
  // https://bank.example@evil.example/ leads to evil.example.
  return url.username === '' && url.password === '' ? null : 'its address contains a user name'
}
