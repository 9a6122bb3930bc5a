import fieldStyles from './field.module.css'
import { Checkbox } from './field.tsx'
import styles from './ticks.module.css'

/** A choice of any number of values. */
export const Ticks = ({
  label,
  values,
  options,
  onChange,
}: {
  label: string
  values: readonly string[]
  options: readonly (readonly [value: string, text: string])[]
  onChange: (values: string[]) => void
}) => (
  <fieldset className={fieldStyles.field}>
    <legend className={fieldStyles.label}>{label}</legend>
    <div className={styles.ticks}>
      {options.map(([value, text]) => (
        <Checkbox
          key={value}
          checked={values.includes(value)}
          onChange={(isTicked) =>
            onChange(isTicked ? [...values, value] : values.filter((other) => other !== value))
          }
        >
          {text}
        </Checkbox>
      ))}
    </div>
  </fieldset>
)
