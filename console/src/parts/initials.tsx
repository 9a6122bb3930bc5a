import styles from './initials.module.css'

const hues = [195, 70, 20, 265, 140, 330]

/** The initials of a name, in one of six colors. */
export function Initials({ name, size }: { name: string; size?: 'large' }) {
  // A phone number has none.
  const words = name.startsWith('+') ? ['#'] : name.trim().split(/\s+/)
  const letters = [words[0], words.length > 1 ? words.at(-1) : ''].map((word) => [...(word ?? '')][0] ?? '')
  const hue = hues[[...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % hues.length]
  return (
    <span
      className={`${styles.initials} tinted`}
      data-size={size}
      style={{ '--hue': hue } as object}
      aria-hidden="true"
    >
      {letters.join('').toUpperCase()}
    </span>
  )
}
