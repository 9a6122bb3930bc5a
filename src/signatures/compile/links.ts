/** What stands in no address, and may end an attribute or hide what an address is. */
const foreign = /[<>"'`\\{}|^\p{Cc}\p{Cf}]/u
const schemes = /^(?:https?:\/\/|mailto:|tel:)/i
const telephone = /^tel:[+\d*#][\d().\-*#;=a-z]{1,60}$/i
const mail = /^mailto:[^\s@:?]{1,100}@[^\s@:?]{1,255}(?:\?\S{0,500})?$/i

/** The address as a mail program takes it: without spaces around it, those within encoded. */
export function tidyAddress(address: string): string {
  return address.trim().replaceAll(/\s/gu, (space) => encodeURIComponent(space))
}

/** What is wrong with where a link leads, in words; null if it may lead there. */
export function linkProblem(href: string): string | null {
  if (href === '') return 'it leads nowhere'
  if (!schemes.test(href)) return 'links begin with https://, http://, mailto: or tel:'
  if (foreign.test(href)) return 'it has characters that no address has'
  if (/^tel:/i.test(href)) return telephone.test(href) ? null : 'it is not a telephone number'
  if (/^mailto:/i.test(href)) return mail.test(href) ? null : 'it is not an e-mail address'
  return webProblem(href)
}

/** What is wrong with where a picture is, in words; null if it may be there. */
export function imageProblem(src: string): string | null {
  if (src === '') return 'it has no address'
  if (/^data:|^cid:/i.test(src))
    return 'pictures have to be on the web; mail programs show no others in signatures'
  if (!/^https:\/\//i.test(src)) return 'the address of a picture begins with https://'
  if (foreign.test(src)) return 'it has characters that no address has'
  return webProblem(src)
}

function webProblem(address: string): string | null {
  if (address.length > 1000) return 'its address is longer than 1,000 characters'
  const url = URL.parse(address)
  if (url === null) return 'it is not an address'
  // https://bank.example@evil.example/ leads to the latter.
  return url.username === '' && url.password === '' ? null : 'it has a user name in its address'
}
