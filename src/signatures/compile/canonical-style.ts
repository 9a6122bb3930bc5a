/**
 * Converts the declarations of `style` to one form: lower case, single spaces, no quotes, colors as #rrggbb. Keeps
 * their order, because the last of two conflicting declarations wins.
 */
export function canonicalStyle(style: string): string {
  return style
    .split(';')
    .map((declaration) => declaration.trim())
    .filter((declaration) => declaration !== '')
    .map((declaration) => {
      const colon = declaration.indexOf(':')
      if (colon < 0) return declaration
      const property = declaration.slice(0, colon).trim().toLowerCase()
      return `${property}:${canonicalValue(property, declaration.slice(colon + 1))}`
    })
    .join(';')
}

function canonicalValue(property: string, value: string): string {
  const single = value.replaceAll(/\s+/g, ' ').replaceAll(/["']/g, '').replaceAll(/ ?, ?/g, ',').trim()
  const cased = property.startsWith('font') ? single : single.toLowerCase()
  return cased
    .replaceAll(/#([\da-f])([\da-f])([\da-f])(?![\da-f])/gi, '#$1$1$2$2$3$3')
    .replaceAll(/#[\da-f]{6}(?![\da-f])/gi, (color) => color.toLowerCase())
    .replaceAll(/rgb\((\d{1,3}),(\d{1,3}),(\d{1,3})\)/g, (_, ...channels: string[]) =>
      hex(channels.slice(0, 3)),
    )
    .replaceAll(/(?<![\d.])0(?:px|pt|em|rem)(?![\w%])/g, '0')
}

const hex = (channels: string[]) =>
  `#${channels.map((each) => Math.min(255, Number(each)).toString(16).padStart(2, '0')).join('')}`
