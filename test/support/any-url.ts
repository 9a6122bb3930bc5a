import fc from 'fast-check'

/** Everything that a segment of a path may contain (RFC 3986, section 3.3). */
const characters = [..."azAZ09-._~!$&'()*+,;=:@", '%20', '%2F', '%C3%A9']

const segment = fc.string({ unit: fc.constantFrom(...characters), maxLength: 12 })

/** An http or https URL with any path. fast-check's `webUrl` needs seconds until its first value. */
export const anyUrl = (): fc.Arbitrary<string> =>
  fc
    .tuple(fc.constantFrom('http', 'https'), fc.domain(), fc.array(segment, { maxLength: 4 }))
    .map(([scheme, domain, segments]) => [`${scheme}://${domain}`, ...segments].join('/'))
