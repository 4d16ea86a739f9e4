/**
 * The commonest passwords. At twelve characters and more, leaked lists hold almost only a few words with digits and
 * marks around them, the same word twice, keyboard rows, and counting; so the list is of words, and a password is
 * reduced to its word before it is looked up.
 *
 * @param expected words that whoever attacks this account tries as well: the product's name, the user's
 */
export function isCommonPassword(password: string, expected: readonly string[] = []): boolean {
  const text = password.normalize('NFKC').toLowerCase()
  if (isMonotonous(text)) return true
  const plain = text.replace(/[^a-z0-9]/g, '')
  if (keyboardRuns.test(plain)) return true
  const special = new Set(expected.map((word) => unit(lettersOf(word.toLowerCase()))).filter((word) => word.length > 2))
  return [lettersOf(text), lettersOf(undisguise(text))].some((word) => isKnown(word, special))
}

/** A known word, or an expected one beside another of either kind: `quire` twice, or `quireadmin`. */
function isKnown(word: string, expected: ReadonlySet<string>): boolean {
  const whole = unit(word)
  if (words.has(whole) || expected.has(whole)) return true
  for (const first of expected) {
    const others = [
      word.startsWith(first) && word.slice(first.length),
      word.endsWith(first) && word.slice(0, -first.length),
    ]
    if (others.some((other) => other !== false && (words.has(unit(other)) || expected.has(unit(other))))) return true
  }
  return false
}

/** What is left of `**Passw0rd-2024!!`: digits and marks at both ends and between say little. */
function lettersOf(text: string): string {
  return text.replace(/[^a-z]/g, '')
}

const disguises: Readonly<Record<string, string>> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** Only between letters: at the ends, digits and marks are decoration. */
function undisguise(text: string): string {
  const core = text.replace(/^[^a-z@$]+|[^a-z]+$/g, '')
  return core.replace(/[013457@$!]/g, (mark) => disguises[mark] ?? mark)
}

/** `adminadmin` is `admin` twice. */
function unit(word: string): string {
  for (let size = 1; size <= word.length / 2; size++) {
    if (word.length % size === 0 && word.slice(0, size).repeat(word.length / size) === word) return word.slice(0, size)
  }
  return word
}

/** Few distinct characters, or counting up or down most of the way. */
function isMonotonous(text: string): boolean {
  const characters = Array.from(text, (character) => character.codePointAt(0) ?? 0)
  if (new Set(characters).size <= 3) return true
  let steps = 0
  let before: number | undefined
  for (const character of characters) {
    if (before !== undefined && isStep(before, character)) steps++
    before = character
  }
  return steps >= (characters.length - 1) * 0.8
}

/** The same, the next or the one before; 0 follows 9. */
function isStep(before: number, character: number): boolean {
  const fromNineToZero = before === 0x39 && character === 0x30
  return Math.abs(character - before) <= 1 || fromNineToZero
}

const keyboardRuns =
  /^(?:1q2w3e4r|q1w2e3r4|1qaz2wsx|zaq12wsx|zaq1xsw2|qazwsxedc|qwertyuiop|qwertzuiop|azertyuiop|asdfghjkl|zxcvbnm|1234567890|0987654321|qwerty|qwertz|asdf|zxcv|1qaz|2wsx|3edc|4rfv|5tgb|6yhn|q2w3e4r|5t6y|7u8i|9o0p|\d)+$/

const words: ReadonlySet<string> = new Set(
  `aaaa abc abcd abcdef abcdefg abcdefgh about access account admin administrator adminadmin again alexander alexandra alpha
amanda america andrea andrew angel angels animal anthony apple april arsenal asdfgh ashley august austin awesome
baby babygirl babylove bailey banana barbara barcelona baseball basketball batman beautiful bella benjamin beta bigboy bigdog
biteme blabla black blackberry blessed blink blue bond boomer boston boston brandon brandy brazil brian brooklyn brother
bubbles buddy bulldog business buster butterfly calvin camaro canada captain carlos carolina caroline change changeit changeme
charles charlie cheese chelsea chester chicago chicken chocolate chris christian christina christmas christopher classic
coffee computer connect contract cookie cool corvette cowboy cowboys creative crystal customer dakota dallas daniel daniela danielle
database david death debug december default demo denise dennis destiny dexter diablo diamond digital document doctor dog dolphin donald
dragon dream eagle eagles easy edward eight eleven elephant elizabeth emily eminem engineer enter enterprise everton example
family faster february fender ferrari fire first fishing five florida flower flowers football forever four france frank freddy
freedom friday friend friends fuck fucker fuckme fuckoff fuckyou future gabriel games gandalf garden gateway general george
germany gfhjkm ginger giovanni girl god golden golf good google gordon green guest guitar hallo hannah happy harley heather hello
helloworld help hockey home honda honey hotdog house hunter iceman iloveyou iloveu india infinity inside install internet ireland isabella
israel italy jackson jaguar jakarta james january japan jasmine jason jasper jeffrey jennifer jeremy jessica jesus johnny johnson
jonathan jordan joseph joshua july june junior justin karina kawasaki kevin killer king kingdom knight kristina ladybug lakers
lasvegas lauren legend leonardo letmein liberty lightning linux little liverpool local login london lord lorenzo louise love lovelove
loveme lover loveyou lucky madison maggie magic manager manchester marina marlboro marshall martin marvin master matrix matthew maverick
maximus melissa member mercedes merlin mexico michael michelle mickey midnight mike minecraft miller monday money monica monkey monster
morgan mother mountain music mustang mypassword myself naruto natalie nathan network newpass newpassword newyork nicholas nicole
nine nintendo nirvana nissan no nothing november october office oliver one operator oracle orange pa pakistan panther paradise
parker pass passcode passphrase passw passwd password passwort patrick peanut people pepper perfect peter phoenix pokemon police
porsche portugal power precious prince princess private production public purple qazwsx qwer qwerty qwertz rabbit rachel rainbow rangers
raymond rebecca red redsox remember rich richard robert rock rockstar rocky root rose runner russia sabrina samantha samsung
samuel sandra saturday scooter scorpion scotland secret security select september sergey server service seven sexy shadow shannon
shelby sierra silver simple skippy slayer slipknot smile smokey snoopy snowball soccer solo sophie spain sparky special spider
spiderman spring staff startrek starwars steelers stella stephanie steven strong student summer sunday sunflower sunshine super superman
superuser supervisor support sweet sweetheart sweety system tamara taylor teacher tennis teresa test tester testing testtest
texas the thomas three thunder thursday tiger tigers tigger time tinkerbell titanic toor toyota trustno trustnoone tuesday
turkey tweety two ubuntu user username valentina vanessa venus victor victoria victory viking vincent virginia walter warcraft warrior
wednesday welcome whatever white wildcat william willow windows winner winter wizard wolf wonder world xavier yamaha
yankees yellow yourself zachary zaqwsx zero zxcvbn zxcvbnm`.split(/\s+/),
)
