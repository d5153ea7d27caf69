//! How near the players are to winning, chunk by chunk, where the truncation ends.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use super::layer::Levels;
use super::number::Narrow;
use super::routes::{Inside, NEVER, Route, lessen};
use crate::player::Player;

/// The routes of a truncation.
#[derive(Debug)]
pub struct Near {
    routes: Vec<Route>,
    /// Needs of more moves do not count.
    most: u8,
    /// What is known of the components from one on, by their levels.
    inside: Mutex<HashMap<Levels, Arc<Inside>>>,
}

impl Near {
    /// These routes, as far as they need no more than so many moves.
    pub fn new(routes: Vec<Route>, most: u8) -> Self {
        Self { routes, most, inside: Mutex::default() }
    }

    /// How many moves count at most.
    pub fn most(&self) -> u8 {
        self.most
    }

    /// What is followed while the contents of the components before `first` are gone through.
    pub fn nearest<'a>(&'a self, sizes: &[usize], first: usize, levels: &'a [u8]) -> Nearest<'a> {
        let key = Levels::from_slice(&levels[first..]);
        let lock = || self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        let known = lock().get(&key).cloned();
        let inside = known.unwrap_or_else(|| {
            let made = Arc::new(Inside::new(&self.routes, sizes, first, levels, self.most));
            lock().insert(key, Arc::clone(&made));
            made
        });
        let is_followed = |route: &Route, part: bool| route.ends.0 < first && (route.ends.1 < first || part);
        let numbered = (0..).zip(self.routes.iter().zip(&inside.parts));
        let followed = numbered.filter(|(_, (route, part))| is_followed(route, part.is_some()));
        let followed = followed.map(|(route, _)| Followed { route, need: 0 }).collect();
        Nearest { near: self, levels, first, inside, followed, needs: vec![0; sizes[first..].iter().product()] }
    }
}

/// A route, and how many moves it needs in the components that have been gone through.
#[derive(Debug, Clone, Copy)]
struct Followed {
    route: u32,
    need: u8,
}

/// How near the players are at levels.
#[derive(Debug)]
pub struct Nearest<'a> {
    near: &'a Near,
    levels: &'a [u8],
    /// The first component inside of chunks.
    first: usize,
    inside: Arc<Inside>,
    followed: Vec<Followed>,
    /// Room for the needs of a chunk.
    needs: Vec<u8>,
}

impl Nearest<'_> {
    /// Goes on with a content of a component, from the routes that are followed from `begin` on; where those begin that are followed then.
    pub fn descend(&mut self, component: usize, content: usize, begin: usize) -> usize {
        let end = self.followed.len();
        for place in begin..end {
            let Followed { route, need } = self.followed[place];
            let each = self.near.routes[route as usize].needs(component, self.levels);
            let need = need.saturating_add(each.map_or(0, |each| each[content]));
            if need <= self.near.most {
                self.followed.push(Followed { route, need });
            }
        }
        end
    }

    /// Forgets what was followed from here on.
    pub fn truncate(&mut self, end: usize) {
        self.followed.truncate(end);
    }

    /// Writes over a chunk what a position is worth at which a player is near to winning; the routes from `begin` on are followed.
    pub fn write<D: Narrow>(&mut self, out: &mut [D], player: Player, begin: usize, nearly: impl Fn(u8) -> D) {
        let most = self.near.most;
        match self.inside.whole.get(&player) {
            Some(whole) => self.needs.copy_from_slice(whole),
            None => self.needs.fill(NEVER),
        }
        // The least need of the routes that lie outside altogether.
        let mut outside = NEVER;
        for Followed { route, need } in &self.followed[begin..] {
            let of = &self.near.routes[*route as usize];
            match &self.inside.parts[*route as usize] {
                _ if of.player != player => {}
                None if of.ends.1 < self.first => outside = outside.min(*need),
                Some((least, needs)) if need.saturating_add(*least) <= most => lessen(&mut self.needs, needs, *need),
                None | Some(_) => {}
            }
        }
        for need in (0..=most).rev() {
            let value = nearly(need);
            if outside <= need {
                out.fill(value);
                continue;
            }
            // Those that need fewer moves are written over.
            for (out, here) in out.iter_mut().zip(&self.needs) {
                *out = if *here <= need { value } else { *out };
            }
        }
    }
}
