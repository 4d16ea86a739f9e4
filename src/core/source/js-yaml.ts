/** What is used of js-yaml: taken by name, the rest stays out of the executable. */
export { COLLECTION_STYLE, EVENT_ID, getScalarValue, parseEvents, SCALAR_STYLE, YAMLException } from 'js-yaml'
