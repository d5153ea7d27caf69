//! A reader of the part of PRISM's language that turn-based games need: one module, integer
//! variables, players. It refuses the texts that PRISM-games refuses.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use num_bigint::BigInt;
use num_rational::BigRational;
use num_traits::One;

/// A model as it is written.
#[derive(Debug, Default)]
pub struct Source {
    players: Vec<PlayerItems>,
    module: Option<Module>,
    labels: BTreeMap<String, Condition>,
}

/// The module and the actions that a player owns.
#[derive(Debug)]
struct PlayerItems {
    name: String,
    modules: Vec<String>,
    actions: Vec<String>,
}

#[derive(Debug)]
struct Module {
    name: String,
    variables: Vec<Variable>,
    commands: Vec<Command>,
}

#[derive(Debug)]
struct Variable {
    name: String,
    least: i64,
    greatest: i64,
    first: i64,
}

#[derive(Debug)]
struct Command {
    action: Option<String>,
    guard: Condition,
    updates: Vec<(BigRational, Vec<(String, i64)>)>,
}

#[derive(Debug)]
enum Condition {
    Always(bool),
    Is(String, i64),
    All(Vec<Condition>),
    Any(Vec<Condition>),
}

/// All reachable states of a model; the first is the initial one.
#[derive(Debug)]
pub struct Model {
    pub states: Vec<State>,
    /// The states in which each label holds.
    pub labels: BTreeMap<String, BTreeSet<usize>>,
    players: Vec<String>,
}

#[derive(Debug)]
pub struct State {
    /// The number of the player who has the choice.
    pub owner: usize,
    /// The successors of each choice, with probabilities.
    pub choices: Vec<Vec<(BigRational, usize)>>,
}

type Read<T> = Result<T, String>;

/// The reserved words of PRISM-games, as far as our models might use them.
const KEYWORDS: [&str; 14] = [
    "smg",
    "player",
    "endplayer",
    "module",
    "endmodule",
    "label",
    "init",
    "true",
    "false",
    "const",
    "formula",
    "rewards",
    "system",
    "filter",
];

impl Model {
    /// Reads a model and explores its states.
    pub fn of(text: &str) -> Read<Self> {
        let source = Parser::new(text)?.source()?;
        source.check()?;
        source.explored()
    }

    /// Returns the number of a player.
    pub fn player(&self, name: &str) -> usize {
        let found = self.players.iter().position(|player| player == name);
        found.expect("the model has both players")
    }
}

// ---- Text

struct Parser {
    tokens: Vec<String>,
    next: usize,
}

impl Parser {
    fn new(text: &str) -> Read<Self> {
        let mut tokens = Vec::new();
        for line in text.lines() {
            // No string of a model contains two slashes.
            let line = line.split("//").next().unwrap_or_default();
            let mut rest = line.trim_start();
            while let Some(first) = rest.chars().next() {
                let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
                let length = if first == '"' {
                    2 + rest[1..].find('"').ok_or("a quote has no end")?
                } else if word(first) {
                    rest.find(|c| !word(c)).unwrap_or(rest.len())
                } else if ["->", ".."].iter().any(|sign| rest.starts_with(sign)) {
                    2
                } else if "[]()&|=:;+/',".contains(first) {
                    1
                } else {
                    return Err(format!("`{first}` begins nothing"));
                };
                tokens.push(rest[..length].to_owned());
                rest = rest[length..].trim_start();
            }
        }
        Ok(Self { tokens, next: 0 })
    }

    fn peek(&self) -> &str {
        self.tokens.get(self.next).map_or("", String::as_str)
    }

    fn take(&mut self) -> String {
        self.next += 1;
        self.tokens.get(self.next - 1).cloned().unwrap_or_default()
    }

    fn eat(&mut self, token: &str) -> bool {
        let found = self.peek() == token;
        self.next += usize::from(found);
        found
    }

    fn expect(&mut self, token: &str) -> Read<()> {
        if self.eat(token) {
            return Ok(());
        }
        Err(format!("`{}` where `{token}` should be", self.peek()))
    }

    fn name(&mut self) -> Read<String> {
        let name = self.take();
        let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
        if begins && !KEYWORDS.contains(&name.as_str()) {
            return Ok(name);
        }
        Err(format!("`{name}` is no name"))
    }

    fn number(&mut self) -> Read<i64> {
        let token = self.take();
        token.parse().map_err(|_| format!("`{token}` is no number"))
    }

    fn source(mut self) -> Read<Source> {
        let mut source = Source::default();
        self.expect("smg")?;
        while self.next < self.tokens.len() {
            match self.take().as_str() {
                "player" => source.players.push(self.player()?),
                "module" if source.module.is_none() => source.module = Some(self.module()?),
                "label" => {
                    let name = self.take();
                    self.expect("=")?;
                    let condition = self.condition()?;
                    self.expect(";")?;
                    let before = source
                        .labels
                        .insert(name.trim_matches('"').to_owned(), condition);
                    if before.is_some() {
                        return Err(format!("two labels {name}"));
                    }
                }
                other => return Err(format!("`{other}` begins no part of a model")),
            }
        }
        Ok(source)
    }

    fn player(&mut self) -> Read<PlayerItems> {
        let mut player = PlayerItems {
            name: self.name()?,
            modules: Vec::new(),
            actions: Vec::new(),
        };
        if self.eat("endplayer") {
            return Ok(player);
        }
        loop {
            if self.eat("[") {
                player.actions.push(self.name()?);
                self.expect("]")?;
            } else {
                player.modules.push(self.name()?);
            }
            if !self.eat(",") {
                self.expect("endplayer")?;
                return Ok(player);
            }
        }
    }

    fn module(&mut self) -> Read<Module> {
        let mut module = Module {
            name: self.name()?,
            variables: Vec::new(),
            commands: Vec::new(),
        };
        while !["[", "endmodule"].contains(&self.peek()) {
            module.variables.push(self.variable()?);
        }
        while self.peek() == "[" {
            module.commands.push(self.command()?);
        }
        self.expect("endmodule")?;
        Ok(module)
    }

    fn variable(&mut self) -> Read<Variable> {
        let name = self.name()?;
        self.expect(":")?;
        self.expect("[")?;
        let least = self.number()?;
        self.expect("..")?;
        let greatest = self.number()?;
        self.expect("]")?;
        self.expect("init")?;
        let first = self.number()?;
        self.expect(";")?;
        Ok(Variable {
            name,
            least,
            greatest,
            first,
        })
    }

    fn command(&mut self) -> Read<Command> {
        self.expect("[")?;
        let action = (self.peek() != "]").then(|| self.name()).transpose()?;
        self.expect("]")?;
        let guard = self.condition()?;
        self.expect("->")?;
        let mut updates = Vec::new();
        loop {
            // An update without a probability happens always.
            let sure = ["(", "true"].contains(&self.peek());
            let chance = if sure {
                BigRational::one()
            } else {
                self.chance()?
            };
            updates.push((chance, self.update()?));
            if !self.eat("+") {
                self.expect(";")?;
                break;
            }
        }
        Ok(Command {
            action,
            guard,
            updates,
        })
    }

    fn chance(&mut self) -> Read<BigRational> {
        let over = self.number()?;
        let under = if self.eat("/") { self.number()? } else { 1 };
        self.expect(":")?;
        if under == 0 {
            return Err("a probability over 0".to_owned());
        }
        Ok(BigRational::new(over.into(), under.into()))
    }

    fn update(&mut self) -> Read<Vec<(String, i64)>> {
        if self.eat("true") {
            return Ok(Vec::new());
        }
        let mut set = Vec::new();
        loop {
            self.expect("(")?;
            let name = self.name()?;
            self.expect("'")?;
            self.expect("=")?;
            set.push((name, self.number()?));
            self.expect(")")?;
            if !self.eat("&") {
                return Ok(set);
            }
        }
    }

    fn condition(&mut self) -> Read<Condition> {
        let mut any = vec![self.all()?];
        while self.eat("|") {
            any.push(self.all()?);
        }
        Ok(Condition::Any(any))
    }

    fn all(&mut self) -> Read<Condition> {
        let mut all = vec![self.atom()?];
        while self.eat("&") {
            all.push(self.atom()?);
        }
        Ok(Condition::All(all))
    }

    fn atom(&mut self) -> Read<Condition> {
        for truth in [true, false] {
            if self.eat(&truth.to_string()) {
                return Ok(Condition::Always(truth));
            }
        }
        let name = self.name()?;
        self.expect("=")?;
        Ok(Condition::Is(name, self.number()?))
    }
}

// ---- Meaning

impl Condition {
    fn names(&self) -> Vec<&str> {
        match self {
            Self::Always(_) => Vec::new(),
            Self::Is(name, _) => vec![name],
            Self::All(parts) | Self::Any(parts) => parts.iter().flat_map(Self::names).collect(),
        }
    }

    fn holds(&self, at: &impl Fn(&str) -> i64) -> bool {
        match self {
            Self::Always(truth) => *truth,
            Self::Is(name, value) => at(name) == *value,
            Self::All(parts) => parts.iter().all(|part| part.holds(at)),
            Self::Any(parts) => parts.iter().any(|part| part.holds(at)),
        }
    }
}

/// Refuses repeated names.
fn once<'a>(names: impl Iterator<Item = &'a str>, what: &str) -> Read<()> {
    let mut met = BTreeSet::new();
    for name in names {
        if !met.insert(name) {
            return Err(format!("{what} `{name}` comes twice"));
        }
    }
    Ok(())
}

impl Source {
    fn module(&self) -> Read<&Module> {
        self.module.as_ref().ok_or_else(|| "no module".to_owned())
    }

    /// Checks the properties that PRISM-games checks before it builds a model.
    fn check(&self) -> Read<()> {
        let module = self.module()?;
        if self.players.is_empty() {
            return Err("an smg without players".to_owned());
        }
        let players = &self.players;
        once(players.iter().map(|player| player.name.as_str()), "player")?;
        let modules = || players.iter().flat_map(|player| &player.modules);
        let actions = || players.iter().flat_map(|player| &player.actions);
        once(modules().map(String::as_str), "module")?;
        once(actions().map(String::as_str), "action")?;
        if let Some(unknown) = modules().find(|name| **name != module.name) {
            return Err(format!("module `{unknown}` does not exist"));
        }
        let known = |action: &String| {
            let mut commands = module.commands.iter();
            commands.any(|command| command.action.as_ref() == Some(action))
        };
        if let Some(unknown) = actions().find(|action| !known(action)) {
            return Err(format!("action `{unknown}` does not exist"));
        }
        let names = module
            .variables
            .iter()
            .map(|variable| variable.name.as_str());
        once(names.clone(), "variable")?;
        let guards = module.commands.iter().map(|command| &command.guard);
        let read = guards
            .chain(self.labels.values())
            .flat_map(Condition::names);
        let updates = module.commands.iter().flat_map(|command| &command.updates);
        let set = updates
            .clone()
            .flat_map(|(_, set)| set)
            .map(|(name, _)| name.as_str());
        for (_, set) in updates {
            once(set.iter().map(|(name, _)| name.as_str()), "update of")?;
        }
        for name in read.chain(set) {
            if !names.clone().any(|known| known == name) {
                return Err(format!("variable `{name}` does not exist"));
            }
        }
        Ok(())
    }

    /// Explores all states that can be reached.
    fn explored(&self) -> Read<Model> {
        let module = self.module()?;
        let first: Vec<i64> = module
            .variables
            .iter()
            .map(|variable| variable.first)
            .collect();
        let mut numbers = HashMap::from([(first.clone(), 0)]);
        let mut found = vec![first];
        let mut states = Vec::new();
        // Each state is expanded once, in the order in which it was found.
        while states.len() < found.len() {
            let here = found[states.len()].clone();
            let enabled = module
                .commands
                .iter()
                .filter(|command| command.guard.holds(&|name| here[self.place(name)]));
            let enabled: Vec<&Command> = enabled.collect();
            let mut choices = Vec::new();
            for command in &enabled {
                let mut choice = Vec::new();
                for (chance, set) in &command.updates {
                    let state = self.updated(&here, set)?;
                    let next = numbers.len();
                    let number = *numbers.entry(state.clone()).or_insert(next);
                    // The number is new, so that the state has not been found before.
                    if number == found.len() {
                        found.push(state);
                    }
                    choice.push((chance.clone(), number));
                }
                let sum: BigRational = choice.iter().map(|(chance, _)| chance).sum();
                if !sum.is_one()
                    || choice
                        .iter()
                        .any(|(chance, _)| *chance <= BigInt::from(0).into())
                {
                    return Err(format!("probabilities whose sum is {sum}"));
                }
                choices.push(choice);
            }
            let owner = self
                .owner(&enabled)
                .map_err(|why| format!("{why} at {here:?}"))?;
            states.push(State { owner, choices });
        }
        let holds = |condition: &Condition| {
            let states = found.iter().enumerate();
            let held = states.filter(|(_, here)| condition.holds(&|name| here[self.place(name)]));
            held.map(|(number, _)| number).collect()
        };
        let labels = self
            .labels
            .iter()
            .map(|(name, condition)| (name.clone(), holds(condition)));
        Ok(Model {
            labels: labels.collect(),
            states,
            players: self
                .players
                .iter()
                .map(|player| player.name.clone())
                .collect(),
        })
    }

    fn place(&self, name: &str) -> usize {
        let variables = &self.module.as_ref().expect("checked").variables;
        variables
            .iter()
            .position(|variable| variable.name == name)
            .expect("checked")
    }

    fn updated(&self, here: &[i64], set: &[(String, i64)]) -> Read<Vec<i64>> {
        let mut state = here.to_vec();
        for (name, value) in set {
            let variable = &self.module()?.variables[self.place(name)];
            if !(variable.least..=variable.greatest).contains(value) {
                return Err(format!("{value} is out of the range of `{name}`"));
            }
            state[self.place(name)] = *value;
        }
        Ok(state)
    }

    /// Returns the player who chooses between commands: the owner of their actions, or of the
    /// module if they have none.
    fn owner(&self, enabled: &[&Command]) -> Read<usize> {
        if enabled.is_empty() {
            return Err("a deadlock".to_owned());
        }
        let module = &self.module()?.name;
        let of = |command: &&Command| {
            let mut players = self.players.iter();
            players.position(|player| match &command.action {
                Some(action) => player.actions.contains(action),
                None => player.modules.contains(module),
            })
        };
        let owners: BTreeSet<usize> = enabled.iter().filter_map(of).collect();
        match (owners.len(), enabled.len()) {
            (1, _) => Ok(owners.into_iter().next().expect("there is one")),
            // With a single command there is nothing to choose, so that the owner does not matter.
            (0, 1) => Ok(0),
            (0, _) => Err("choices of nobody".to_owned()),
            _ => Err("choices of several players".to_owned()),
        }
    }
}
