# What inference knows of the translator's methods, as part of the precompiled package: their
# arguments have types, or are never looked at by the compiler. (Native code is kept from 1.9.)

function precompile_methods(part::Module)
    for name in names(part; all = true)
        isdefined(part, name) && getfield(part, name) isa Function || continue
        for m in methods(getfield(part, name))
            m.module === part && m.sig isa DataType && precompile(m.sig)
        end
    end
    for handler in values(Typed.KNOWN)
        precompile(Tuple{typeof(handler),Typed.Body,Vector{Typed.Value},Type})
    end
end
ccall(:jl_generating_output, Cint, ()) == 1 && precompile_methods(Typed)
