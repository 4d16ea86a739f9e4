/** What believable cases are made of, by the country that a contract names. */

import {
  britishVat,
  dutchAccount,
  dutchVat,
  frenchAccount,
  frenchVat,
  germanVat,
  ibanOf,
  indianGst,
  italianAccount,
  polishBank,
  polishVat,
  spanishAccount,
  spanishVat,
  withLuhn,
} from './check-digits.ts'
import type { Random } from './random.ts'

export interface Country {
  /** ISO 3166. */
  code: string
  name: string
  currency: string
  timeZone: string
  firstNames: readonly string[]
  lastNames: readonly string[]
  /** City, region and postal code belong together. */
  places: readonly (readonly [city: string, region: string, postalCode: string])[]
  streets: readonly string[]
  /** `#` is the number of the house. */
  address: string
  companies: readonly string[]
  jobs: readonly string[]
  sentences: readonly string[]
  /** `#` is any digit. */
  phone: string
  /** ISO 9362, of one of its banks. */
  bic: string
  iban(random: Random): string
  vat(random: Random): string
}

const words = (text: string): string[] => text.split(' ')
const lines = (text: string): string[] => text.split('|')

function digits(random: Random, count: number): string {
  let text = ''
  for (let index = 0; index < count; index++) text += String(index === 0 ? random.between(1, 9) : random.below(10))
  return text
}

/** Draws until there is a check digit; one in eleven numbers has none. */
function drawn(make: () => string | undefined): string {
  for (;;) {
    const made = make()
    if (made !== undefined) return made
  }
}

/** A British IBAN, also where the country itself has none. */
const britishIban = (random: Random) =>
  ibanOf('GB', random.pick(['NWBK', 'BARC', 'LOYD', 'MIDL']) + digits(random, 6) + digits(random, 8))

// biome-ignore format: a country reads better in few lines
export const countries: Readonly<Record<string, Country>> = {
  'de-DE': {
    code: 'DE', bic: 'COBADEFFXXX', name: 'Deutschland', currency: 'EUR', timeZone: 'Europe/Berlin',
    firstNames: words('Anna Jonas Lena Paul Marie Felix Sophie Lukas Clara Maximilian Greta Jürgen'),
    lastNames: words('Müller Schmidt Schneider Fischer Weber Wagner Becker Hoffmann Schäfer Koch Krüger Weiß'),
    places: [['Berlin', 'Berlin', '10115'], ['Hamburg', 'Hamburg', '20095'], ['München', 'Bayern', '80331'], ['Köln', 'Nordrhein-Westfalen', '50667'], ['Leipzig', 'Sachsen', '04109'], ['Freiburg im Breisgau', 'Baden-Württemberg', '79098']],
    streets: lines('Hauptstraße|Gartenweg|Bahnhofstraße|Goethestraße|Lindenallee|Am Markt'), address: '{street} #',
    companies: lines('Nordlicht Versicherung AG|Becker & Söhne GmbH|Rheintal Logistik GmbH|Stadtwerke Lindenau|Kaufhaus Sommer KG'),
    jobs: words('Sachbearbeiterin Elektriker Buchhalter Ingenieurin Pflegefachkraft'),
    sentences: lines('Bitte rufen Sie vor zwölf Uhr an.|Die Ware ist vollständig angekommen.|Die Zahlung wird bis zum Monatsende erwartet.'),
    phone: '+49 30 23125 ###',
    iban: (random) => ibanOf('DE', random.pick(['37040044', '10050000', '70150000', '20050550']) + digits(random, 10)),
    vat: (random) => germanVat(digits(random, 8)),
  },
  'fr-FR': {
    code: 'FR', bic: 'BNPAFRPPXXX', name: 'France', currency: 'EUR', timeZone: 'Europe/Paris',
    firstNames: words('Camille Louis Chloé Hugo Léa Jules Manon Gabriel Zoé Raphaël Élise François'),
    lastNames: words('Martin Bernard Dubois Thomas Robert Petit Durand Leroy Moreau Lefèvre Girard Bonnet'),
    places: [['Paris', 'Île-de-France', '75004'], ['Lyon', 'Auvergne-Rhône-Alpes', '69002'], ['Nantes', 'Pays de la Loire', '44000'], ['Strasbourg', 'Grand Est', '67000'], ['Bordeaux', 'Nouvelle-Aquitaine', '33000'], ['Besançon', 'Bourgogne-Franche-Comté', '25000']],
    streets: lines('rue de la République|avenue Victor-Hugo|rue des Lilas|place du Marché|boulevard Voltaire|chemin des Vignes'), address: '#, {street}',
    companies: lines('Assurances du Levant SA|Boulangerie Petit SARL|Transports Moreau SAS|Atelier des Lilas SARL|Clinique Saint-Martin'),
    jobs: words('comptable infirmière électricien ingénieure vendeur'),
    sentences: lines('Merci de nous appeler avant midi.|La livraison est complète.|Le paiement est attendu avant la fin du mois.'),
    phone: '+33 1 99 00 ## ##',
    iban: (random) => ibanOf('FR', frenchAccount(random.pick(['20041', '30004', '10278']) + digits(random, 5) + digits(random, 11))),
    vat: (random) => frenchVat(withLuhn(digits(random, 8))),
  },
  'es-ES': {
    code: 'ES', bic: 'CAIXESBBXXX', name: 'España', currency: 'EUR', timeZone: 'Europe/Madrid',
    firstNames: words('Lucía Hugo Martina Pablo Sofía Álvaro Carmen Javier Elena Íñigo Paula Andrés'),
    lastNames: words('García Fernández González Rodríguez López Martínez Sánchez Pérez Gómez Ruiz Ibáñez Muñoz'),
    places: [['Madrid', 'Comunidad de Madrid', '28013'], ['Barcelona', 'Cataluña', '08002'], ['Valencia', 'Comunidad Valenciana', '46002'], ['Sevilla', 'Andalucía', '41001'], ['Zaragoza', 'Aragón', '50003'], ['La Coruña', 'Galicia', '15001']],
    streets: lines('Calle Mayor|Avenida de la Constitución|Calle del Sol|Plaza de España|Paseo de Gracia|Calle de Alcalá'), address: '{street}, #',
    companies: lines('Seguros Poniente S.A.|Talleres Ruiz S.L.|Transportes del Ebro S.L.|Clínica Santa Ana|Imprenta Muñoz S.L.'),
    jobs: words('contable enfermera electricista ingeniera vendedor'),
    sentences: lines('Llame antes del mediodía, por favor.|La entrega está completa.|El pago se espera antes de fin de mes.'),
    phone: '+34 910 ### ###',
    iban: (random) => ibanOf('ES', spanishAccount(random.pick(['2100', '0049', '0182']) + digits(random, 4), digits(random, 10))),
    vat: (random) => spanishVat(digits(random, 7)),
  },
  'it-IT': {
    code: 'IT', bic: 'BCITITMMXXX', name: 'Italia', currency: 'EUR', timeZone: 'Europe/Rome',
    firstNames: words('Giulia Leonardo Sofia Francesco Aurora Alessandro Chiara Lorenzo Martina Niccolò Elena Matteo'),
    lastNames: words("Rossi Russo Ferrari Esposito Bianchi Romano Colombo Ricci Marino Greco D'Angelo Conti"),
    places: [['Roma', 'Lazio', '00184'], ['Milano', 'Lombardia', '20121'], ['Napoli', 'Campania', '80133'], ['Torino', 'Piemonte', '10121'], ['Bologna', 'Emilia-Romagna', '40121'], ['Forlì', 'Emilia-Romagna', '47121']],
    streets: lines('Via Roma|Via Garibaldi|Corso Italia|Piazza del Duomo|Via dei Tigli|Viale Mazzini'), address: '{street} #',
    companies: lines('Assicurazioni Tirreno S.p.A.|Officina Greco S.r.l.|Trasporti Adda S.r.l.|Clinica San Luca|Tipografia Conti S.n.c.'),
    jobs: words('contabile infermiera elettricista ingegnera commesso'),
    sentences: lines('Si prega di chiamare prima di mezzogiorno.|La consegna è completa.|Il pagamento è atteso entro fine mese.'),
    phone: '+39 06 698 #####',
    iban: (random) => ibanOf('IT', italianAccount(random.pick(['05428', '03069', '02008']) + digits(random, 5) + digits(random, 12))),
    vat: (random) => `IT${withLuhn(digits(random, 10))}`,
  },
  'nl-NL': {
    code: 'NL', bic: 'ABNANL2AXXX', name: 'Nederland', currency: 'EUR', timeZone: 'Europe/Amsterdam',
    firstNames: words('Emma Daan Julia Sem Tess Lucas Sophie Finn Anouk Bram Zoë Ruben'),
    lastNames: lines('de Jong|Jansen|de Vries|van den Berg|Bakker|Visser|Smit|Meijer|Mulder|van Dijk|Bos|Vos'),
    places: [['Amsterdam', 'Noord-Holland', '1012 AB'], ['Rotterdam', 'Zuid-Holland', '3011 AD'], ['Utrecht', 'Utrecht', '3511 BV'], ['Groningen', 'Groningen', '9711 LM'], ['Eindhoven', 'Noord-Brabant', '5611 EM'], ['Maastricht', 'Limburg', '6211 CX']],
    streets: lines('Kerkstraat|Dorpsstraat|Molenweg|Lindelaan|Schoolstraat|Prinsengracht'), address: '{street} #',
    companies: lines('Noordzee Verzekeringen N.V.|Bakker & Zonen B.V.|Transport Visser B.V.|Drukkerij De Linde|Ziekenhuis Sint Anna'),
    jobs: words('boekhouder verpleegkundige elektricien ingenieur verkoper'),
    sentences: lines('Belt u ons voor twaalf uur.|De levering is compleet.|De betaling wordt voor het einde van de maand verwacht.'),
    phone: '+31 20 794 ####',
    iban: (random) => ibanOf('NL', random.pick(['ABNA', 'INGB', 'RABO']) + drawn(() => dutchAccount(`0${digits(random, 8)}`))),
    vat: (random) => drawn(() => dutchVat(digits(random, 8))),
  },
  'pl-PL': {
    code: 'PL', bic: 'BPKOPLPWXXX', name: 'Polska', currency: 'PLN', timeZone: 'Europe/Warsaw',
    firstNames: words('Zuzanna Antoni Julia Jan Maja Łukasz Hanna Franciszek Lena Michał Agnieszka Stanisław'),
    lastNames: words('Nowak Kowalczyk Woźniak Mazur Krawczyk Kaczmarek Zając Król Wieczorek Wróbel Dudek Pawlak'),
    places: [['Warszawa', 'mazowieckie', '00-001'], ['Kraków', 'małopolskie', '31-001'], ['Łódź', 'łódzkie', '90-001'], ['Wrocław', 'dolnośląskie', '50-001'], ['Gdańsk', 'pomorskie', '80-001'], ['Poznań', 'wielkopolskie', '60-001']],
    streets: lines('ul. Polna|ul. Leśna|ul. Słoneczna|ul. Długa|al. Jana Pawła II|ul. Ogrodowa'), address: '{street} #',
    companies: lines('Ubezpieczenia Wisła S.A.|Wróbel i Synowie sp. z o.o.|Transport Mazur sp. j.|Drukarnia Polna|Szpital Miejski w Gdańsku'),
    jobs: words('księgowa pielęgniarka elektryk inżynier sprzedawca'),
    sentences: lines('Prosimy o telefon przed południem.|Dostawa jest kompletna.|Płatność powinna nastąpić do końca miesiąca.'),
    phone: '+48 22 ### ## ##',
    iban: (random) => ibanOf('PL', polishBank(random.pick(['1090101', '1020102', '1140200'])) + digits(random, 16)),
    vat: (random) => drawn(() => polishVat(digits(random, 9))),
  },
  'en-US': {
    code: 'US', bic: 'CHASUS33XXX', name: 'United States', currency: 'USD', timeZone: 'America/New_York',
    firstNames: words('Olivia Liam Emma Noah Charlotte James Amelia Benjamin Hannah Marcus Elena Walter'),
    lastNames: words("Johnson Williams Brown Miller Davis Garcia Anderson Martinez Walker Young Nelson O'Neill"),
    places: [['Springfield', 'IL', '62704'], ['Portland', 'OR', '97205'], ['Austin', 'TX', '78701'], ['Madison', 'WI', '53703'], ['Boulder', 'CO', '80302'], ['Albany', 'NY', '12207']],
    streets: lines('Maple Avenue|Oak Street|Lincoln Road|Cedar Lane|Hillcrest Drive|River Road'), address: '# {street}',
    companies: lines('Northwind Insurance Company|Cedar Ridge Logistics LLC|Harbor Street Bank|Lakeview Property Management|Pioneer Print Works, Inc.'),
    jobs: lines('Account Manager|Registered Nurse|Electrician|Software Engineer|Underwriter'),
    sentences: lines('Please call before noon.|The delivery is complete.|Payment is expected by the end of the month.'),
    phone: '(555) 555-01##',
    iban: britishIban,
    vat: (random) => `${random.between(10, 95)}-${digits(random, 7)}`,
  },
  'en-GB': {
    code: 'GB', bic: 'BARCGB22XXX', name: 'United Kingdom', currency: 'GBP', timeZone: 'Europe/London',
    firstNames: words('Amelia Oliver Isla George Ava Arthur Freya Alfie Poppy Rhys Niamh Hamish'),
    lastNames: words("Smith Jones Taylor Davies Evans Wilson Thomas Roberts Walker Wright Campbell O'Connor"),
    places: [['London', 'Greater London', 'SW1A 1AA'], ['Manchester', 'Greater Manchester', 'M1 1AE'], ['Bristol', 'Bristol', 'BS1 4ST'], ['Edinburgh', 'Midlothian', 'EH1 1YZ'], ['Cardiff', 'South Glamorgan', 'CF10 1EP'], ['York', 'North Yorkshire', 'YO1 7HH']],
    streets: lines('High Street|Station Road|Church Lane|Victoria Road|Mill Lane|Queens Road'), address: '# {street}',
    companies: lines('Thames & Severn Insurance plc|Wright Brothers Ltd|Pennine Freight Ltd|Harbour Dental Practice|Castle Print Ltd'),
    jobs: lines('Accountant|Staff Nurse|Electrician|Civil Engineer|Shop Assistant'),
    sentences: lines('Please ring before noon.|The delivery is complete.|Payment is expected by the end of the month.'),
    phone: '+44 20 7946 0###',
    iban: britishIban,
    vat: (random) => britishVat(digits(random, 7)),
  },
  'en-IN': {
    code: 'IN', bic: 'SBININBBXXX', name: 'India', currency: 'INR', timeZone: 'Asia/Kolkata',
    firstNames: words('Aarav Priya Arjun Ananya Vivaan Diya Rohan Kavya Aditya Meera Imran Lakshmi'),
    lastNames: words('Sharma Patel Iyer Reddy Singh Nair Gupta Das Khan Joshi Rao Mehta'),
    places: [['Mumbai', 'Maharashtra', '400001'], ['New Delhi', 'Delhi', '110001'], ['Bengaluru', 'Karnataka', '560001'], ['Chennai', 'Tamil Nadu', '600001'], ['Kolkata', 'West Bengal', '700001'], ['Kochi', 'Kerala', '682001']],
    streets: lines('MG Road|Nehru Street|Station Road|Gandhi Marg|Park Street|Temple Road'), address: '#, {street}',
    companies: lines('Sahyadri Insurance Ltd|Patel & Sons Pvt Ltd|Deccan Logistics Pvt Ltd|Ganga Textiles|Malabar Spices Pvt Ltd'),
    jobs: lines('Accountant|Staff Nurse|Electrician|Software Engineer|Sales Executive'),
    sentences: lines('Kindly call before noon.|The delivery is complete.|Payment is expected by the end of the month.'),
    phone: '+91 22 2### ####',
    iban: britishIban,
    vat: (random) => {
      const letters = () => String.fromCharCode(65 + random.below(26))
      const pan = `${letters()}${letters()}${letters()}C${letters()}${digits(random, 4)}${letters()}`
      return indianGst(`${random.pick(['27', '29', '33', '07'])}${pan}1Z`)
    },
  },
}
