/** Material for the values of valid cases: American names, places, companies and everyday words. */

export const firstNames =
  'Olivia Liam Emma Noah Charlotte James Amelia Oliver Sophia Benjamin Isabella Henry Grace Samuel Hannah Daniel Nora Ethan Ruth Marcus Elena Victor Alice George Naomi Walter Irene Calvin Teresa Simon'.split(
    ' ',
  )
export const lastNames =
  "Johnson Williams Brown Miller Davis Garcia Wilson Anderson Thompson Martinez Robinson Clark Lewis Walker Young Hernandez King Wright Lopez Hill Green Adams Baker Nelson Carter Mitchell Roberts Turner Parker O'Neill".split(
    ' ',
  )
export const companies = [
  'Northwind Insurance Company',
  'Cedar Ridge Logistics LLC',
  'Bluewater Medical Group',
  'Summit Office Supply, Inc.',
  'Harbor Street Bank',
  'Prairie Solar Partners',
  'Lakeview Property Management',
  'Atlas Freight & Storage',
  'Redwood Dental Associates',
  'Pioneer Print Works, Inc.',
]
/** City, state and ZIP code belong together. */
export const places = [
  ['Springfield', 'IL', 'Illinois', '62704'],
  ['Portland', 'OR', 'Oregon', '97205'],
  ['Austin', 'TX', 'Texas', '78701'],
  ['Madison', 'WI', 'Wisconsin', '53703'],
  ['Richmond', 'VA', 'Virginia', '23219'],
  ['Boulder', 'CO', 'Colorado', '80302'],
  ['Savannah', 'GA', 'Georgia', '31401'],
  ['Albany', 'NY', 'New York', '12207'],
  ['Tucson', 'AZ', 'Arizona', '85701'],
  ['Duluth', 'MN', 'Minnesota', '55802'],
] as const
export const streets = [
  'Maple Avenue',
  'Oak Street',
  'Lincoln Road',
  'Cedar Lane',
  'Washington Street',
  'Hillcrest Drive',
  'River Road',
  'Elm Street',
  'Park Place',
  'Sunset Boulevard',
]
export const jobs = [
  'Account Manager',
  'Claims Adjuster',
  'Software Engineer',
  'Office Manager',
  'Registered Nurse',
  'Electrician',
  'Sales Representative',
  'Underwriter',
]
export const departments = [
  'Accounting',
  'Claims',
  'Customer Service',
  'Human Resources',
  'Legal',
  'Operations',
  'Sales',
]
export const products = [
  'Ergonomic Desk Chair',
  'Stainless Steel Water Bottle',
  'Wireless Keyboard',
  'Cotton T-Shirt',
  'LED Desk Lamp',
  'Ceramic Coffee Mug',
  'Laser Printer Toner',
  'Canvas Tote Bag',
]
export const sentences = [
  'Delivered on time and in good condition.',
  'Please contact the office before noon.',
  'The customer asked for a written confirmation.',
  'Renewal is due at the end of the quarter.',
  'All documents were reviewed and approved.',
  'Payment is expected within thirty days.',
  'The next inspection takes place in spring.',
  'No further action is needed at this time.',
]
export const titles = [
  'Quarterly Summary',
  'Service Agreement',
  'Welcome Letter',
  'Annual Statement',
  'Delivery Schedule',
  'Project Outline',
  'Meeting Notes',
  'Order Confirmation',
]
export const words =
  'amber basin cedar delta ember field grove harbor island jasper kernel ledger meadow north orchard prairie quartz river summit timber union valley willow yarrow zenith'.split(
    ' ',
  )
export const colors = 'black white red green blue yellow orange purple gray brown'.split(' ')
export const months = 'January February March April May June July August September October November December'.split(' ')
export const weekdays = 'Monday Tuesday Wednesday Thursday Friday Saturday Sunday'.split(' ')
export const statuses = 'active pending approved completed closed draft'.split(' ')
export const currencies = ['USD', 'USD', 'USD', 'CAD', 'EUR', 'GBP']
export const countries = [
  ['United States', 'US'],
  ['United States', 'US'],
  ['Canada', 'CA'],
  ['Mexico', 'MX'],
] as const
