/** A name made of parts, such as `execution.step.failed`: a narrow column breaks it before a dot. */
export function Dotted({ name }: { name: string }) {
  return <>{name.split('.').map((word, index) => (index === 0 ? word : [<wbr key={word} />, `.${word}`]))}</>
}
