import { Icon, iconNames, RunningIcon } from '../parts/icon.tsx'
import { Section, SectionBody } from '../parts/section.tsx'
import styles from './page.module.css'

const colors = [
  ...['bg', 'surface', 'sunken', 'hover', 'picked', 'select', 'line', 'edge', 'control'],
  ...['text-1', 'text-2', 'text-3', 'accent', 'danger', 'warn', 'ok', 'danger-wash', 'warn-wash', 'stripes'],
]
const sizes = ['t11', 't12', 't13', 't14', 't16', 't20', 't26'] as const

/** Colors, type and pictures. */
export const Basics = () => (
  <>
    <Section title="Colors" about="Of tokens.css. No other file names a color.">
      <SectionBody>
        <div className={styles.swatches}>
          {colors.map((name) => (
            <span key={name} className={styles.swatch} style={{ '--swatch': `var(--${name})` } as object}>
              {name}
            </span>
          ))}
        </div>
      </SectionBody>
    </Section>
    <Section title="Type">
      <SectionBody>
        <div className="stack">
          {sizes.map((size) => (
            <p key={size} style={{ font: `var(--${size})` }}>
              {size}: Import 4,963 people <span className="strong">strong</span>{' '}
              <span className="two">two</span> <span className="three">three</span>{' '}
              <span className="mono">svc_live_…4Qx9</span>
            </p>
          ))}
        </div>
      </SectionBody>
    </Section>
    <Section title="Icons">
      <SectionBody>
        <div className={styles.swatches}>
          {iconNames().map((name) => (
            <span key={name} className="rail t12 two">
              <Icon name={name} />
              {name}
            </span>
          ))}
          <span className="rail t12 two">
            <RunningIcon size={16} />
            running
          </span>
        </div>
      </SectionBody>
    </Section>
  </>
)
