"""Words that people ask with, and the words of papers that answer them. Pure.

They are no synonyms: a question about doctors is answered by a sentence about physicians, and a
search for one should not find the other. What is here only weighs in the choice of a sentence.
"""

from collections import defaultdict
from collections.abc import Mapping
from functools import cache

from store.text import stem

# Words of one line answer each other; `_` joins words of a run.
_GROUPS = """
    doctor doctors physician clinician medical clinical
    website websites site webpage web platform
    picture pictures photo image images visual
    card cards gpu gpus h100 a100 hardware
    job jobs gig task tasks
    replace replaces alternative alternatives substitute instead
    habit habits behavior behaviors behaviour strategy strategies
    teach teaches taught learn learns train trains training trained
    fast faster quick quickly quicker rapid speed speedup throughput latency
    cheap cheaper cost costs expensive price pay budget
    worse bad badly hurt hurts harm degrade degrades drop drops dropped decline decrease fail
    worse bad badly inability struggle
    hard harder difficult challenge challenging
    unrelated irrelevant noisy distracting distractor
    rewrite rewrites rewritten reword paraphrase paraphrased
    survive robust detectable resist resilient
    write writes wrote written generate generates generated author authored
    keep keeps same constant maintain maintains preserve preserves
    beat beats beating ahead win wins better best outperform outperforms surpass exceed top
    break breaks breaking violate violates violation drop
    rule rules policy policies constraint constraints compliance
    sort sorts categorize classify
    check checks verify verifies verifying verification
    busy load concurrent
    source sources citation citations reference references
    chat chats conversation conversational dialogue
    sound sounds audio music
    speech voice spoken speaking
    size sizes big large parameter parameters
    size sizes big large resolution scale
    home house household homes
    adding addition add arithmetic
    number numbers digit digits
    error errors mistake mistakes wrong incorrect
    limit limits limitation limitations weakness drawback downside catch caveat problem
    benefit benefits advantage gain gains improve improves improvement boost help helps
    people person persons human humans user users participant participants
    data dataset datasets corpus collection
    sample samples example examples
    answer answers response responses reply output outputs
    question questions query queries prompt prompts
    fake synthetic artificial
    machine llm model models
    skill skills ability abilities capability capabilities
    shrink compress reduce reduces smaller cut cuts lower less save saves saving savings
    grow grows increase increases raise raises rise
    dangerous unsafe harmful toxic
    remember remembers memory recall memorize
    forget forgets unlearning lose loses
    built build builds based base backbone initialized
    understand understands comprehension comprehend
    programming coding code programmer developer
    test tests tested evaluate evaluates evaluated evaluation measure benchmark
    compare compares compared versus
    explain explains interpret interpretable
    detect detects spot spots tell distinguish recognize identify
    reach reaches achieve achieves score scores get gets attain
    accuracy accurate correct correctly
    percent percentage fraction share rate
    kids kid children child
    law legal lawyer
    phone phones mobile smartphone device devices
    drug drugs molecule molecules chemistry chemical
    weather forecast forecasting climate
    decide decides choose chooses select selects determine determines
    step steps stage stages phase
    hold holds contain contains include includes consist comprise
    support supports supported back backed
    rely relies depend depends
    start starts begin begins
    need needs require requires essential necessary
    try tried tries propose proposes explore
    easy simple simpler
    matter matters important importance crucial critical key
    publish publishes published release releases released open opens share shares
    cover covers support supports handle handles span spans
    different diverse various any varied
    useful helpful benefit benefits effective
    special novel unique
    cause causes caused lead leads due
    stop stops prevent prevents avoid avoids
    make makes create creates produce produces generate generates synthesize
    change changes modify modifies edit edits edited alter
    join combine combines merge merges mix integrate fuse unify
    split splits divide decompose decomposes separate separates
    copy imitate mimic clone
    guess predict predicts prediction estimate estimates
    trust reliable reliability faithful trustworthy
    cheat cheats cheating hack hacking
    rank ranks ranking order
    place places location spatial
    move moves moving motion movement
    sick ill patient patients disease
    hospital hospitals clinic clinics
    buy shop shopping purchase commerce
    trade stock stocks finance financial market
    game games play plays playing player
    math maths mathematics mathematical arithmetic
    proof proofs prove proves theorem
    topic topics theme subject domain domains
    look looks see sees view visual
    hear listen audio
    lie lies lying deceive deception deceptive
    steal steals extract extraction leak leaks
    private privacy personal
    bias biased unfair fairness stereotypes
    old older previous prior earlier existing
    new newer latest recent novel
    many several multiple
    average mean typical
    whole entire full
    team collaborate collaboration cooperate
    judge judges grade grades grader grading evaluator
    boss manager orchestrator coordinator
    helper tool tools
    internet online web
    book books novel document documents
    paper papers article articles study studies
    news journalism
    car cars vehicle driving
    robot robots robotic manipulation
    world environment environments simulation simulated
    brain neural neuron neurons
    cell cells biology biological gene genes genomic
    crystal crystals material materials
    tiny small little compact
    huge giant massive large
    free training-free
    rewarded reward rewards penalty
    unknown unseen novel
    noise noisy
    solve solves solved solution
    long longer length
    short shorten shorter shortens
    text texts passage content document
    agent agents assistant
    find finds found discover discovers discovered report reports show shows conclude
    video videos clip clips film movie
    fix fixes repair repairs resolve resolves
    bug bugs vulnerability
    attack attacks jailbreak jailbreaks trick tricks
    watch monitor monitoring monitorability
    plan plans planning
    language languages multilingual
    science scientist scientific researcher researchers
    student students learner tutor education
    emotional emotion emotions affective
    improve improves better enhance enhances boost boosts upgrade increase gain
    think thinks thinking thought reason reasons reasoning logic
    let lets allow allows enable enables permit
    efficient cheap lightweight
    search searches retrieve retrieves retrieval lookup fetch fetches
    behave behaves act acts behavior behaviors
    repeat repeats repeated repeatedly again iterative iteratively loop over
    expert experts specialist specialists specialized
    feedback critique critiques comment comments
    refine refines polish correct corrects revise
    filter filters clean cleans
    weight weights parameter parameters param params
    false hallucinate hallucinates hallucination hallucinations factual facts untrue
    outside external
    teacher distill distillation
    environment setting settings scenario scenarios
    similar alike close near resemble related
    analyze analyzes examine examines investigate investigates study studies explore explores
    mitigate mitigates reduce reduces prevent fix solve
    autonomous autonomously alone independent independently itself
    invent invents invented discover discovers
    deploy deploys deployment production practice real_world
    remove removes delete deletes discard discards discarding erase drop
    attempt attempts rollout rollouts trajectory trajectories try tries
    precise exact precision accurate
    memorize memorizes memorization recall copy
    bottleneck limit limits
    collapse collapses crash crashes fail fails failure failures
    trigger triggers cause causes
    request requests query ask asks
    exploit exploits abuse abuses
    creative creativity ideas
    popular common widely
    proprietary closed commercial
    free open_source public publicly open
    song songs music
    live real_time streaming
    earlier history previous past
    guide guides steer steers control controls
    extra additional further
    enough sufficient suffices
    goal goals aim aims objective objectives purpose
    idea approach method technique way
    trick technique techniques tricks
    ingredient ingredients component components part parts
    family series collection
    version variant variants
    judgement judgment judge
    result results finding findings outcome outcomes
    score scores performance rate rates
    rival rivals competitive match matches comparable par
    equal equals match matches same
    double twice 2x
    tens dozens
    drawback tradeoff trade_off
    strange surprising unexpected counterintuitive
    internal inside hidden latent
    neurons features circuits
    connect connects link links linked
    spread spreads propagate
    decline falls fall drop drops
    rise climbs climb jump jumps increase
    price prices cost costs
    energy power
    thousand thousands 1000
    wide broad general
    narrow specific
    warn warns caution
    danger dangers risk risks threat threats
    police moderate moderation filter guardrail guardrails
    spam toxic abuse
    persuade persuades persuasion convince convinces
    obey comply complies follow follows compliance
    refuse refuses refusal reject rejects
    ignore ignores skip skips overlook
    forecast predicts predict prediction
    draw draws paint image images sketch
    sing speak speaks speech
    talk talks conversation dialogue chat
    summarize summarizes summarization summary
    translate translates translation
    compose composes combine
    arrange order ordering
    browse browses browser web navigation
    click clicks gui interface computer
    screen screens screenshot gui interface
    app apps application applications mobile
    file files document documents
    program programs code software
    developer developers engineer engineers
    company companies enterprise business
    customer customers user users service
    money dollar dollars cost costs payouts
    workers worker employees labor economic
    hour hours minute minutes day days
    fewer less reduce reduced
    longer extend extends extended extension
    length lengths long
    layer layers block blocks depth
    chip chips gpu hardware accelerator
    node nodes machine machines gpu
    train trains training pretrain pretrained pretraining finetune fine_tune fine_tuned
    tune tuned tuning finetune finetuned fine_tune fine_tuning
    teach instruct instruction
    reinforcement rl reward
    tests test exam exams benchmark benchmarks
    competition contest olympiad olympiads imo
    medal medalist gold silver
    school education student students
    therapy emotional support mental
    protein proteins biology
    weather climate cyclone
    planet earth geospatial satellite
    maps map location
    photo photos photograph image
    face faces portrait
    body pose human motion
    object objects segmentation
    point points track tracking
    mesh meshes 3d
    voice voices tts speech
    die dies dying died dead death
    slow slowly slower latency delay delays
    smart smarter clever intelligent intelligence
    sure ensure ensures guarantee guarantees certain confident confidence
    right correct correctly accurate accuracy
    turn turns turned convert converts converting conversion transform transforms transforming
    swap swaps swapped replace replaces replaced exchange
    pool pools ensemble combine combines aggregate aggregates
    happy unhappy satisfied dissatisfied satisfaction
    cite cites cited citing citation citations attribution attribute attributes
    strong stronger powerful robust
    best highest top strongest leading ahead outperforms surpasses
    weak weaker poor poorly limited
    hide hides hidden conceal covert
    appear appears emerge emerges emergent
    shape shapes geometry geometric
    accelerate accelerates acceleration faster speed speedup
    execute executes run runs
    chance random
    invented fabricated hallucinated synthetic
    boring bored tedium tedious
    honest honesty truthful truthfulness faithful
    backdoor backdoors sleeper poisoning
    insecure vulnerable vulnerability unsafe
    outdated stale old
    current recent fresh
    kind kinds type types category categories taxonomy
    pieces part parts module modules
    window context
    word words token tokens
    letter letters character characters byte bytes
    numeric numerical number numbers
    shuffle shuffled shuffling order ordering permutation
    prune pruned pruning remove removed removes
    squeeze compress compressed compression quantize quantization
    label labels labeled labelled annotation annotations annotate annotated
    unlabeled unlabelled unsupervised
    example examples demonstration demonstrations shots
    simultaneously concurrently parallel asynchronous
    wait waits waiting blocking synchronous asynchronous
    assist assists assistance aid help helps
    productive productivity output
    clothes clothing garment
    cartoon animation animate animated
    dance motion
    table tables tabular spreadsheet
    chart charts plot plots figure figures
    repo repos repository repositories codebase codebases
    docs documentation docstrings documents
    compile compiler decompile decompilation binary
    multilingual crosslingual language languages
    punish punishes penalty penalties penalize penalizes
    incentive incentives reward rewards
    referee reviewer reviewers review reviews
    vote votes voting majority consensus
    argue argues debate debates discuss
    agree agrees agreement aligned alignment
    disagree disagreement diverge divergence
    tip tips principle principles guideline guidelines advice
    recipe recipes procedure pipeline
    fight fights compete competes competition adversarial
    trivial easy simple
    escape bypass bypasses jailbreak
    interview interviews conversation
    mind minds mental psychology psychological cognitive
    wave waves signal signals
    fit fits fitting overfit overfitting
    mixed mixture mixing mix
    recognize recognizes recognition
    count counts counting number
    store stores stored storage save cache
    feelings feeling emotion emotional affective sentiment
    opinion opinions belief beliefs preference preferences
    prefer prefers preferred preference preferences favor
    worry worries concern concerns risk
    danger unsafe harm harms harmful
    expand expands extend extends extending grow
    borrow reuse reuses share shares shared
    plug drop_in replacement
    freeze frozen fixed
    crowd throughput concurrent
    guess guesses draft drafts speculative
    correlate correlates correlated correlation related
    beginner beginners newcomers barrier barriers
    amateur layperson novice
    gap gaps difference disparity
    unfair unfairness bias biased
    gender race demographic demographics
    country countries nation region regions
    culture cultural
    recover recovers recovery backtrack backtracking
    mess messy noisy
    clean cleaner flawless
    tool tools api apis function functions
    call calls invoke invokes invoking calling
    look_up lookup retrieve retrieves
    unneeded unnecessary redundant
    useless ineffective redundant
    lazy shortcut shortcuts
    stuck plateau plateaus
    stable stability stabilize
    unstable instability
    skip skips skipping
    curb reduce mitigate
    spend spends budget cost
    waste wastes wasteful redundant inefficient
"""
# Words that say little about what is asked.
_LIGHT = """
    take takes now up come comes out off mostly itself themselves someone somebody something stuff
    supposed meant meaning still able done well times time put good great new like give gives
    given go goes going first need needs reach reaches hold holds keep keeps really anyone
    everyone ever never always before behind actually start contain contains consist include
    involve handle treat deal run look see think believe become bring happen cover made inside
    whole everything anything nothing way about else own actual different differently
"""


def alike(word: str) -> frozenset[str]:
    """Return the stems of the words that answer a folded word, without its own."""
    return _groups().get(stem(word), frozenset())


def is_light(word: str) -> bool:
    """Tell whether a folded word says little about what is asked."""
    return stem(word) in _light()


@cache
def _groups() -> Mapping[str, frozenset[str]]:
    found: dict[str, set[str]] = defaultdict(set)
    for line in _GROUPS.splitlines():
        stems = {" ".join(map(stem, word.split("_"))) for word in line.split()}
        for each in stems:
            found[each] |= stems - {each}
    return {word: frozenset(others) for word, others in found.items()}


@cache
def _light() -> frozenset[str]:
    return frozenset(map(stem, _LIGHT.split()))
