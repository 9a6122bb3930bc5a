import encode from 'qr'
import styles from './qr-code.module.css'

/** The margin for scanners, in modules. */
const border = 4

/** A QR code (ISO/IEC 18004). It is dark on light in both themes, because scanners need that. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = encode(text, 'raw', { border, ecc: 'medium' })
  const path = rows
    .flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : [])))
    .join('')
  return (
    <svg className={styles.code} viewBox={`0 0 ${rows.length} ${rows.length}`} role="img" aria-label={label}>
      <path d={path} shapeRendering="crispEdges" />
    </svg>
  )
}
