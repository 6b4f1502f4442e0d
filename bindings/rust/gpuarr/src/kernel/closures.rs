//! Kernels made of closures.
use crate::arg::Arg;
use crate::array::Array;
use crate::dtype::DType;
use crate::element::Element;
use crate::elementwise::Elementwise;
use crate::error::Result;
use crate::options::Options;
use crate::reduction::Reduction;

use super::types::{Slot, Value};
use super::writer::{Code, Writer};

/// What a kernel takes for an input: an array, or a scalar of its elements' type.
pub trait Input<T> {
    #[doc(hidden)]
    fn arg(&self) -> Arg<'_>;
}

impl<T> Input<T> for &Array<T> {
    #[inline]
    fn arg(&self) -> Arg<'_> {
        Arg::from(*self)
    }
}

impl<T: Element> Input<T> for T {
    #[inline]
    fn arg(&self) -> Arg<'_> {
        Arg::scalar(*self)
    }
}

/// `float32 x_0, float32 y_1`, and the names alone.
fn parameters(list: &[(&str, DType)]) -> (String, String) {
    let name = |k: usize, name: &str| format!("{}_{}", name, k);
    let typed = list.iter().enumerate().map(|(k, (x, dtype))| format!("{} {}", dtype, name(k, x)));
    let names = list.iter().enumerate().map(|(k, (x, _))| name(k, x));
    (typed.collect::<Vec<_>>().join(", "), names.collect::<Vec<_>>().join(", "))
}

/// `float32 out_0`, and what sets them from a value.
fn outputs(list: &[DType], value: &str) -> (String, String) {
    let typed = list.iter().enumerate().map(|(k, dtype)| format!("{} out_{}", dtype, k));
    let typed = typed.collect::<Vec<_>>().join(", ");
    let body = match list.len() {
        1 => format!("out_0 = {};", value),
        count => {
            let each = (0..count).map(|k| format!(" out_{0} = value_0._{0};", k));
            format!("const auto value_0 = {};{}", value, each.collect::<String>())
        }
    };
    (typed, body)
}

/// How many elements each result is of.
const COUNT: &str = "(unsigned long long)(n / _out_ind.size())";

/// The kernel of a closure.
#[doc(hidden)]
pub fn elementwise<K: Code>(inputs: &[(&str, DType)], out: &[DType]) -> Result<Elementwise> {
    let mut writer = Writer::new(false);
    let name = writer.function::<K>();
    let (in_params, names) = parameters(inputs);
    let (out_params, body) = outputs(out, &format!("{}({})", name, names));
    let options = Options::new().preamble(&writer.finish_preamble()?);
    Elementwise::with_options(&in_params, &out_params, &body, &options)
}

/// No `post`: partial results are results.
#[derive(Debug)]
#[doc(hidden)]
pub enum Same {}

impl Code for Same {
    const NAME: &'static str = "";
    fn write(_: &mut Writer) {}
}

/// What a reduction is made of beside its functions.
#[derive(Debug)]
#[doc(hidden)]
pub struct ReductionParts<'a, P> {
    pub inputs: &'a [(&'a str, DType)],
    pub outputs: &'a [DType],
    pub identity: Option<P>,
    /// Whether `post` takes the number of elements of a result.
    pub counts: bool,
}

#[doc(hidden)]
impl<P: Value> ReductionParts<'_, P> {
    pub fn make<Map: Code, Reduce: Code, Post: Code>(&self) -> Result<Reduction> {
        let mut writer = Writer::new(false);
        let partial = writer.type_of(Slot::<P>::new()).name;
        let (map, reduce) = (writer.function::<Map>(), writer.function::<Reduce>());
        let (in_params, names) = parameters(self.inputs);
        let last = match (Post::NAME, self.counts) {
            ("", _) => "a".to_string(),
            (_, false) => format!("{}(a)", writer.function::<Post>()),
            (_, true) => format!("{}(a, {})", writer.function::<Post>(), COUNT),
        };
        let (out_params, post) = outputs(self.outputs, &last);
        let identity = self.identity.as_ref().map(|value| writer.constant(value));
        let preamble =
            format!("{}typedef {} gpuarr_partial;\n", writer.finish_preamble()?, partial);
        let options = Options::new().preamble(&preamble).reduce_type("gpuarr_partial");
        let map = format!("{}({})", map, names);
        let reduce = format!("{}(a, b)", reduce);
        Reduction::with_options(
            &in_params,
            &out_params,
            &map,
            &reduce,
            &post,
            identity.as_deref(),
            &options,
        )
    }
}
